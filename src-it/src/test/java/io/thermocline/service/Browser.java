// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.interactions.WheelInput;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium, driven as a person would use it. */
final class Browser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration INTERVAL = Duration.ofMillis(100);

  /** More than any page has to go to. */
  private static final int MOST_TABS = 200;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * @param profile directory of what it keeps
   */
  static Browser start(Path profile) {
    Assumptions.assumeTrue(
        Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
        "no /usr/bin/chromium or /usr/bin/chromedriver: apt-get install chromium chromium-driver");
    LoggingPreferences logging = new LoggingPreferences();
    logging.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.setCapability("goog:loggingPrefs", logging);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    ChromeDriver driver = new ChromeDriver(service, options);
    // By default 30 s, which looking for what hurts accessibility takes on a loaded machine.
    driver.manage().timeouts().scriptTimeout(LIMIT);
    return new Browser(driver);
  }

  String address() {
    return driver.getCurrentUrl();
  }

  void open(String address) {
    driver.get(address);
  }

  /**
   * Opens another tab, and goes there.
   *
   * @return back to this one, and closes the other
   */
  Runnable tab(String address) {
    String here = driver.getWindowHandle();
    driver.switchTo().newWindow(WindowType.TAB);
    open(address);
    return () -> {
      driver.close();
      driver.switchTo().window(here);
    };
  }

  /** The page gets no answers any more, until it is loaded anew. */
  void asksInVain() {
    driver.executeScript("window.fetch = () => new Promise(() => {})");
  }

  /** Each answer is an error that names what was asked for, until the page is loaded anew. */
  void answersAreErrors() {
    driver.executeScript(
        """
        window.fetch = async (path) =>
          new Response(JSON.stringify({ message: `no answer of ${path}` }), { status: 500 });
        """);
  }

  /** The cells of the first table of this caption, row by row, that of the names first. */
  List<List<String>> table(String caption) {
    String path = "//table[starts-with(normalize-space(caption), '" + caption + "')]";
    until("table '" + caption + "'", () -> !driver.findElements(By.xpath(path)).isEmpty());
    // In one go: it is drawn anew all the time.
    return ((List<?>)
            driver.executeScript(
                """
                return [...arguments[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent));
                """,
                driver.findElement(By.xpath(path))))
        .stream().map(row -> ((List<?>) row).stream().map(String::valueOf).toList()).toList();
  }

  /** What the first element that a selector finds has under a name. */
  String attribute(String selector, String name) {
    until(selector, () -> !driver.findElements(By.cssSelector(selector)).isEmpty());
    return driver.findElement(By.cssSelector(selector)).getDomAttribute(name);
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
  }

  void dark(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Waits until the page shows a text. */
  void shows(String text) {
    until(
        "text '" + text + "'",
        () -> driver.findElement(By.tagName("body")).getText().contains(text));
  }

  String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Waits until it doesn't any more. */
  void showsNoMore(String text) {
    until("no text '" + text + "'", () -> !text().contains(text));
  }

  /** Clicks on the button or link of this name, in the dialog where one is open. */
  void click(String name) {
    String within = driver.findElements(By.cssSelector("dialog[open]")).isEmpty() ? "" : "//dialog";
    String path = within + "//*[self::button or self::a][normalize-space()='" + name + "']";
    until(
        "button '" + name + "'",
        () -> {
          List<WebElement> found = driver.findElements(By.xpath(path));
          if (found.isEmpty() || !found.get(0).isEnabled()) {
            return false;
          }
          found.get(0).click();
          return true;
        });
  }

  /** Types into the field of this label. */
  void type(String label, String text) {
    replaces("(//label[starts-with(normalize-space(), '" + label + "')]//input)[last()]", text);
  }

  /** Types into the text area of this label, in place of what is there. */
  void write(String label, String text) {
    replaces("//label[starts-with(normalize-space(), '" + label + "')]//textarea", text);
  }

  /** Chooses what begins so from the list of this label. */
  void choose(String label, String option) {
    String path =
        "//label[starts-with(normalize-space(), '"
            + label
            + "')]//option[starts-with(., '"
            + option
            + "')]";
    until(
        "'" + option + "' of " + label,
        () -> {
          List<WebElement> found = driver.findElements(By.xpath(path));
          if (found.isEmpty()) {
            return false;
          }
          found.get(0).click();
          return found.get(0).isSelected();
        });
  }

  private void replaces(String path, String text) {
    until(
        "'" + text + "' in " + path,
        () -> {
          List<WebElement> found = driver.findElements(By.xpath(path));
          if (found.isEmpty()) {
            return false;
          }
          found.get(0).clear();
          found.get(0).sendKeys(text);
          // Keys get lost where the page is drawn anew meanwhile.
          return text.equals(found.get(0).getDomProperty("value"));
        });
  }

  /** Whether there is something to scroll to beside what is shown. */
  boolean isWiderThanItsWindow() {
    return Boolean.TRUE.equals(
        driver.executeScript("return document.documentElement.scrollWidth > window.innerWidth"));
  }

  /** How many elements a selector finds now. */
  int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /** The text of the first element that a selector finds. */
  String firstOf(String selector) {
    until(selector, () -> !driver.findElements(By.cssSelector(selector)).isEmpty());
    return driver.findElement(By.cssSelector(selector)).getText();
  }

  /** Waits until nothing is asked for the first time any more. */
  void settled() {
    showsNoMore("Asking the service");
    until(
        "charts",
        () ->
            driver.findElements(By.cssSelector(".chart")).stream()
                .allMatch(chart -> !chart.findElements(By.tagName("canvas")).isEmpty()));
  }

  /**
   * Goes from one thing that has the focus to the next, by the tabulator alone, to the one of
   * this name.
   */
  void tabTo(String name) {
    for (int i = 0; i < MOST_TABS; i++) {
      press(Keys.TAB);
      if (focused().equals(name)) {
        return;
      }
    }
    throw new AssertionError("no way by keys to '" + name + "' in:\n" + text());
  }

  void press(CharSequence keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** The text, or the label, of what has the focus. */
  String focused() {
    return String.valueOf(
        driver.executeScript(
            """
            const at = document.activeElement;
            return (at.closest("label")?.firstChild.textContent ?? at.textContent).trim();
            """));
  }

  /** Waits until that has the focus, and shows it by a line around. */
  void showsFocusOn(String name) {
    until("the focus on '" + name + "'", () -> focused().equals(name));
    assertEquals(
        Boolean.TRUE,
        driver.executeScript(
            """
            const at = document.activeElement;
            const style = getComputedStyle(at);
            return at.matches(":focus-visible") && style.outlineStyle !== "none"
              && parseFloat(style.outlineWidth) >= 2;
            """),
        "the focus is seen on " + name);
  }

  /** Turns the wheel over the first chart, and waits until it shows a smaller part. */
  void zoomsItsChart() {
    WebElement chart = driver.findElement(By.cssSelector(".chart"));
    until(
        "a smaller part of the chart",
        () -> {
          new Actions(driver)
              .scrollFromOrigin(WheelInput.ScrollOrigin.fromElement(chart), 0, -300)
              .perform();
          return (Boolean)
              ofChart("chart.getOption().dataZoom.some((zoom) => zoom.end - zoom.start < 99)");
        });
  }

  /** Moves the mouse about the first chart until it says this of what is below it. */
  void hoversOverItsChart(String text) {
    WebElement chart = driver.findElement(By.cssSelector(".chart"));
    int[] tries = {0};
    until(
        "'" + text + "' over the chart",
        () -> {
          int across = chart.getSize().getWidth() * (tries[0]++ % 8 - 2) / 14;
          new Actions(driver).moveToElement(chart, across, -20).perform();
          return (Boolean)
              ofChart(
                  "chart.getZr().storage.getDisplayList(true).some((each) => !each.ignore &&"
                      + " String(each.style?.text ?? '').includes('"
                      + text
                      + "'))");
        });
  }

  private Object ofChart(String expression) {
    return driver.executeAsyncScript(
        """
        const done = arguments[arguments.length - 1];
        const chart = window.echarts.getInstanceByDom(document.querySelector(".chart"));
        done(Boolean(%s));
        """
            .formatted(expression));
  }

  /** What axe finds against WCAG 2.1 A and AA. */
  void isAccessible(String page) throws IOException {
    // Its half a megabyte stays until the page is loaded anew.
    if (Boolean.FALSE.equals(driver.executeScript("return 'axe' in window"))) {
      try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
        driver.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    Object violations =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
              .then((found) => done(found.violations.map((each) =>
                each.id + ": " + each.nodes.map((node) => node.html + " " + node.failureSummary).join("; "))));
            """);
    assertEquals(List.of(), violations, page);
  }

  /** Scripts' errors, and what the policy forbade; not that a request was refused or found nobody. */
  List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(entry -> entry.getMessage())
        .filter(message -> !message.contains("Failed to load resource"))
        .toList();
  }

  void picture(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }

  private interface Condition {
    boolean holds();
  }

  private void until(String what, Condition condition) {
    new WebDriverWait(driver, LIMIT)
        // Half a second by default, at nearly each step.
        .pollingEvery(INTERVAL)
        .ignoring(StaleElementReferenceException.class)
        .withMessage(() -> what + " in:\n" + text())
        .until(waiting -> condition.holds());
  }
}
