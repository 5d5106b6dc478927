// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Sums up the surefire reports below a directory: {@code java bin/TestSummary.java <directory>}.
 * Lists what failed with its first lines, what failed and passed at a second try, and what was
 * skipped with its reason. Exits with 1 when a test failed, more than one was unsteady, one was
 * skipped without a stated reason, when a test class ran nothing, or when there is no report.
 */
final class TestSummary {

  /** What JUnit says when the author said nothing. */
  private static final Pattern UNSTATED =
      Pattern.compile(
          "|.* is @Disabled|Assumption failed:?|(Assumption failed: )?assumption is (not )?(true|false)",
          Pattern.DOTALL);

  /** Lines of a failure's message, and of its stack. */
  private static final int SAID = 3;

  private static final int COLUMNS = 300;

  /** Tests that may fail once and pass at the second try, of a whole run. */
  private static final int MAX_UNSTEADY = 1;

  private static final int REPLACEMENT = 0xFFFD;

  private static final Pattern REFERENCE = Pattern.compile("&#(x[0-9a-fA-F]+|[0-9]+);");

  private final Path root;
  private final List<String> failed = new ArrayList<>();
  private final List<String> unsteady = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private int passed;

  private TestSummary(Path root) {
    this.root = root;
  }

  public static void main(String[] args) throws Exception {
    TestSummary summary = new TestSummary(Path.of(args[0]).toAbsolutePath().normalize());
    for (Path report : summary.reports()) {
      summary.add(report);
    }
    System.exit(summary.print());
  }

  private List<Path> reports() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.getParent().endsWith("surefire-reports"))
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .sorted()
          .toList();
    }
  }

  private void add(Path report) throws Exception {
    String where = root.relativize(report).toString().replaceAll("/?(target/)*surefire-reports/.*", "");
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    parser.setErrorHandler(null);
    Document document;
    try {
      String text = new String(Files.readAllBytes(report), StandardCharsets.UTF_8);
      document = parser.parse(new InputSource(new StringReader(legal(text))));
    } catch (SAXException e) {
      complaints.add(where + " " + report.getFileName() + " can't be read: " + e.getMessage());
      return;
    }
    NodeList cases = document.getElementsByTagName("testcase");
    String suite = document.getDocumentElement().getAttribute("name");
    if (cases.getLength() == 0 && !hasNested(report)) {
      complaints.add(where + " " + suite + " ran no test");
    }
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String name = where + " " + test.getAttribute("classname") + "." + test.getAttribute("name");
      Optional<Element> failure = first(test, "failure", "error");
      Optional<Element> earlier = first(test, "flakyFailure", "flakyError");
      if (failure.isPresent()) {
        failed.add(name + said(failure.get()));
      } else if (has(test, "skipped")) {
        skip(name, (Element) test.getElementsByTagName("skipped").item(0));
      } else {
        earlier.ifPresent(element -> unsteady.add(name + said(element)));
        passed++;
      }
    }
  }

  /** Failures say what they like; characters that no XML may have, raw or as references, are replaced. */
  private static String legal(String text) {
    StringBuilder legal = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> legal.appendCodePoint(isLegal(point) ? point : REPLACEMENT));
    return REFERENCE
        .matcher(legal)
        .replaceAll(
            found -> {
              String number = found.group(1);
              try {
                int point =
                    number.startsWith("x")
                        ? Integer.parseInt(number.substring(1), 16)
                        : Integer.parseInt(number);
                return isLegal(point) ? found.group() : Character.toString(REPLACEMENT);
              } catch (NumberFormatException e) {
                return Character.toString(REPLACEMENT);
              }
            });
  }

  private static boolean isLegal(int point) {
    return point == '\t'
        || point == '\n'
        || point == '\r'
        || point >= 0x20 && point <= 0xD7FF
        || point >= 0xE000 && point <= 0xFFFD
        || point >= 0x10000 && point <= 0x10FFFF;
  }

  private static Optional<Element> first(Element test, String... names) {
    return Stream.of(names)
        .map(name -> (Element) test.getElementsByTagName(name).item(0))
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** What went wrong, and where in our own code. */
  private static String said(Element failure) {
    NodeList traces = failure.getElementsByTagName("stackTrace");
    Node text = traces.getLength() == 0 ? failure : traces.item(0);
    List<String> trace = text.getTextContent().strip().lines().map(String::strip).toList();
    return Stream.concat(
            trace.stream().filter(line -> !line.startsWith("at ")).limit(SAID),
            trace.stream().filter(line -> line.startsWith("at io.thermocline.")).limit(SAID))
        .map(line -> "\n          " + line.substring(0, Math.min(line.length(), COLUMNS)))
        .collect(Collectors.joining());
  }

  /** The tests of nested classes are in reports of their own. */
  private static boolean hasNested(Path report) throws IOException {
    String prefix = report.getFileName().toString().replaceFirst("\\.xml$", "\\$");
    try (Stream<Path> files = Files.list(report.getParent())) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(prefix));
    }
  }

  /** The reason of @Disabled is an attribute; that of an assumption heads the stack trace. */
  private void skip(String name, Element element) {
    String said =
        element.hasAttribute("message")
            ? element.getAttribute("message")
            : element.getTextContent().strip().lines().findFirst().orElse("");
    String reason = said.replaceFirst("^\\S*TestAbortedException:?\\s*", "").strip();
    if (UNSTATED.matcher(reason).matches()) {
      skipped.add(name + ": no reason stated");
      complaints.add(name + " is skipped without a reason");
    } else {
      skipped.add(name + ": " + reason);
    }
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  private int print() {
    failed.forEach(test -> System.out.println("failed:   " + test));
    unsteady.forEach(test -> System.out.println("unsteady: " + test));
    skipped.forEach(test -> System.out.println("skipped:  " + test));
    if (passed + failed.size() + skipped.size() == 0) {
      complaints.add("no test ran");
    }
    if (unsteady.size() > MAX_UNSTEADY) {
      complaints.add(unsteady.size() + " tests were unsteady, at most " + MAX_UNSTEADY + " may be");
    }
    complaints.forEach(complaint -> System.out.println("wrong:    " + complaint));
    String counted = unsteady.isEmpty() ? "" : ", " + unsteady.size() + " unsteady";
    System.out.printf(
        "%d passed, %d failed, %d skipped%s%n", passed, failed.size(), skipped.size(), counted);
    return failed.isEmpty() && complaints.isEmpty() ? 0 : 1;
  }
}
