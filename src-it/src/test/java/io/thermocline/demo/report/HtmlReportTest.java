// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HtmlReport REPORT = new HtmlReport();
  private static final RunRecord RUN = new PlausibleRun(42).record();
  private static final String PAGE = REPORT.render(RUN);

  /** The file is left in the build directory, to be looked at. */
  @Test
  void writesAFile() throws IOException {
    Path file = Path.of("target", "sample-report.html");

    REPORT.write(RUN, file);

    assertEquals(PAGE, Files.readString(file));
  }

  @Test
  void needsNoNetwork() {
    String own = withoutLibrary(PAGE);

    assertTrue(PAGE.contains("echarts.init"), "the charting library is inside");
    assertFalse(own.matches("(?s).*https?://.*"), "no address in our own part");
    assertFalse(own.matches("(?s).*<(link|img|iframe|object|embed|base)\\b.*"), "nothing to load");
    assertFalse(own.matches("(?s).*(\\ssrc=|@import|url\\().*"), "nothing to load");
    assertTrue(own.contains("default-src 'none'"), "and the browser is told so");
  }

  @Test
  void dataComesBackFromThePage() throws IOException {
    JsonNode data = data(PAGE);

    RunRecord read = JSON.treeToValue(data.get("record"), RunRecord.class);

    assertEquals(RUN.before(), read.before());
    assertEquals(RUN.after(), read.after());
    assertEquals(RUN.samples(), read.samples());
    assertEquals(RUN.heat(), read.heat());
    assertEquals(RUN.decisions(), read.decisions());
    assertEquals(JSON.readTree(JsonFigures.toJson(RUN.figures())), data.at("/record/figures"));
  }

  @Test
  void everyFigureAppears() {
    String text = withoutLibrary(PAGE).replaceAll("(?s)<script.*", "");
    RUN.figures()
        .forEach(
            (key, value) ->
                assertTrue(
                    text.contains("<dt>" + key + "</dt><dd>" + value + "</dd>"),
                    key + " " + value));
    for (String shown : List.of("61&#160;%", "212.8&#160;MB/s", "1,204", "1,230", "38.2&#160;GB")) {
      assertTrue(text.replace("\u00a0", "&#160;").contains(shown), shown);
    }
  }

  @Test
  void everyChartHasItsNumbersInATable() {
    String text = PAGE.replaceAll("(?s)<script.*", "").replace("&#x3D;", "=");

    assertTrue(text.contains("<noscript>"));
    assertEquals(3, text.split("<details>", -1).length - 1);
    for (String directory : RUN.heat().directories()) {
      assertTrue(text.contains(">" + directory + "</th>"), directory);
    }
    assertTrue(
        text.contains("<th scope=\"row\">120\u00a0s</th><td>54\u00a0%</td><td>59\u00a0%</td>"));
  }

  @Test
  void hostileNamesAreInert() throws IOException {
    String hostile =
        "/a/</script><script>alert(1)</script><!--\"'&{{x}}\u2028<img src=x onerror=a>";
    Map<String, Object> figures = new LinkedHashMap<>(RUN.figures());
    figures.put(hostile, hostile);
    RunRecord run =
        new RunRecord(
            figures,
            RUN.before(),
            RUN.after(),
            RUN.samples(),
            new HeatMap(List.of(hostile), new double[] {1, 2}, new double[][] {{1}, {2}}),
            List.of(new Decision(hostile, hostile, hostile, hostile)));

    String page = REPORT.render(run);

    assertEquals(count(PAGE, "<script"), count(page, "<script"), "script elements");
    assertEquals(count(PAGE, "</script"), count(page, "</script"), "ends of script elements");
    assertFalse(withoutLibrary(page).contains("<img"), "no element of theirs");
    assertEquals(hostile, data(page).at("/record/decisions/0/path").asText());
    assertEquals(hostile, data(page).at("/record/heat/directories/0").asText());
  }

  @Test
  void theHeadlineIsTheResult() {
    assertTrue(
        PAGE.contains(
            "<h1>61\u00a0% of reads now come from SSD and NVDIMM, up from 2\u00a0%. The best possible"
                + " placement would have served 68\u00a0% from there.</h1>"));
  }

  @Test
  void anInterruptedRunSaysSo() {
    RunRecord run =
        new RunRecord(Map.of(), RUN.before(), List.of(), List.of(), HeatMap.empty(), List.of());

    String page = REPORT.render(run);

    assertTrue(
        page.contains(
            "The run ended before tiering was measured. Before it, 2\u00a0% of reads came from SSD."));
    assertTrue(
        REPORT
            .render(
                new RunRecord(
                    Map.of(), List.of(), List.of(), List.of(), HeatMap.empty(), List.of()))
            .contains("The run ended before anything was measured."));
  }

  @Test
  void readSharesAreDifferencesBetweenSamples() {
    Series series =
        Series.of(List.of(sample(0, 100, 100), sample(1, 130, 110), sample(2, 130, 110)));

    assertNull(series.readShare().get(StorageType.SSD).get(0));
    assertEquals(.75, series.readShare().get(StorageType.SSD).get(1));
    assertEquals(.25, series.readShare().get(StorageType.DISK).get(1));
    assertNull(series.readShare().get(StorageType.SSD).get(2));
  }

  private static Sample sample(double seconds, long ssdReads, long diskReads) {
    return new Sample(
        seconds,
        Map.of(
            StorageType.SSD, new Sample.Tier(1, 2, 1, 0, ssdReads, 0),
            StorageType.DISK, new Sample.Tier(1, 2, 1, 0, diskReads, 0)),
        0,
        0,
        0,
        0,
        0);
  }

  private static String withoutLibrary(String page) {
    int start = page.indexOf("<script>", page.indexOf("id=\"run\""));
    int end = page.indexOf("</script>", start);
    return page.substring(0, start) + page.substring(end);
  }

  private static JsonNode data(String page) throws IOException {
    Matcher data =
        Pattern.compile("(?s)<script type=\"application/json\" id=\"run\">(.*?)</script>")
            .matcher(page);
    assertTrue(data.find());
    return JSON.readTree(data.group(1));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
