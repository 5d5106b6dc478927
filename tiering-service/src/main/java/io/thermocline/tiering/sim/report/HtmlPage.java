// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An HTML page that needs nothing but a browser: no network, no script. Sections of charts and tables. All texts are
 * escaped. Not thread-safe.
 */
public final class HtmlPage {
  private final StringBuilder page = new StringBuilder();
  private boolean inSection;

  /**
   * @param title of the browser's window, and above the headline
   * @param headline what came of it, in a sentence
   * @param lead below it
   */
  public HtmlPage(String title, String headline, String lead) {
    page.append(
        resource("page-head.html")
            .replace("{{title}}", LineChart.escape(title))
            .replace("{{style}}", resource("page.css")));
    add("<header><p class=\"kicker\">%s</p><h1>%s</h1>", title, headline);
    add("<p class=\"lead\">%s</p></header>", lead);
  }

  /** Begins a section; the one before ends. */
  public void section(String title) {
    endSection();
    inSection = true;
    add("<section><h2>%s</h2>", title);
  }

  /** A paragraph in small print. */
  public void note(String text) {
    add("<p class=\"lead\">%s</p>", text);
  }

  /**
   * Curves and their legend.
   *
   * @param label what the chart shows, for those who don't see it
   * @param unit writes a value of the vertical axis
   */
  public void chart(String label, Axis axis, List<Curve> curves, DoubleFunction<String> unit) {
    page.append("<div class=\"scroll\">");
    page.append(LineChart.svg(label, axis, curves, unit));
    page.append("</div>\n<ul class=\"legend\">\n");
    curves.forEach(curve -> add("<li class=\"%s\"><i></i>%s</li>", curve.css(), curve.title()));
    page.append("</ul>\n");
  }

  /**
   * A table.
   *
   * @param columns heads
   * @param rows cells, as many as columns; the first is the row's head
   */
  public void table(List<String> columns, List<List<String>> rows) {
    page.append("<div class=\"scroll\"><table><thead><tr>");
    columns.forEach(head -> add("<th scope=\"col\">%s</th>", head));
    page.append("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      add("<tr><th scope=\"row\">%s</th>", row.get(0));
      row.subList(1, row.size()).forEach(cell -> add("<td>%s</td>", cell));
      page.append("</tr>\n");
    }
    page.append("</tbody></table></div>\n");
  }

  /** Writes the page in UTF-8, creating the directory where needed, replacing what was there. */
  public void write(Path file) throws IOException {
    endSection();
    page.append("</main></body></html>\n");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, page);
  }

  private void endSection() {
    if (inSection) {
      page.append("</section>\n");
    }
  }

  private void add(String format, String... texts) {
    Object[] escaped = new Object[texts.length];
    for (int i = 0; i < texts.length; i++) {
      escaped[i] = LineChart.escape(texts[i]);
    }
    page.append(String.format(Locale.ROOT, format, escaped)).append('\n');
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
