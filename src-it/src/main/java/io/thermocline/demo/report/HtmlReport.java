// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The report of a run: one HTML file that needs nothing but a browser, and no network. The charting
 * library is inside, the data as JSON too ({@code script#run}), and every chart has its numbers in a
 * table beside it. Thread-safe.
 */
public final class HtmlReport {

  private static final String LIBRARY = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";
  private static final Pattern SCRIPT_END =
      Pattern.compile("</(?=script)", Pattern.CASE_INSENSITIVE);

  private final Template template =
      Mustache.compiler().compile(new StringReader(resource("report.html")));
  private final String style = resource("report.css");
  private final String code = scriptText(resource("report.js"));
  private final String library = scriptText(resource(LIBRARY));

  /** The page as text. */
  public String render(RunRecord run) {
    Series series = Series.of(run.samples());
    return template.execute(
        Map.of(
            "page", Page.of(run, series),
            "style", style,
            "code", code,
            "library", library,
            "data", ScriptJson.of(Map.of("record", run, "series", series))));
  }

  /** Writes the page in UTF-8, creating the directory where needed, replacing what was there. */
  public void write(RunRecord run, Path file) throws IOException {
    String page = render(run);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, page);
  }

  /** In a string of a script, a backslash before the slash changes nothing but the HTML parser's mind. */
  private static String scriptText(String script) {
    return SCRIPT_END.matcher(script).replaceAll("<\\\\/");
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
