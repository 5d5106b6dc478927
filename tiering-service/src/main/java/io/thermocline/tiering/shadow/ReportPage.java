// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A report for a browser: one file that needs nothing beside it. */
final class ReportPage {

  private static final int SLOW_READS = 200;

  private ReportPage() {}

  static String of(ShadowReport report) throws IOException {
    return Mustache.compiler()
        .compile(template())
        .execute(
            Map.of(
                "day", report.day(),
                "updated", report.updated(),
                "plans", report.plans(),
                "headline", Figures.headline(report),
                "cost", Figures.cost(report),
                "served", served(report),
                "otherReads", report.otherReads(),
                "moves", moves(report),
                "storage", storage(report),
                "slowReads",
                    report.slowReads().stream()
                        .limit(SLOW_READS)
                        .map(ReportPage::slowRead)
                        .toList()));
  }

  private static List<Map<String, Object>> served(ShadowReport report) {
    return new TreeMap<>(report.served())
        .entrySet().stream()
            .map(
                type ->
                    Map.<String, Object>of(
                        "type", type.getKey(),
                        "reads", Math.round(type.getValue().reads()),
                        "readsIf", Math.round(type.getValue().readsIf()),
                        "bytes", Figures.bytes(type.getValue().bytes()),
                        "bytesIf", Figures.bytes(type.getValue().bytesIf())))
            .toList();
  }

  private static List<Map<String, Object>> moves(ShadowReport report) {
    return new TreeMap<>(report.moves())
        .entrySet().stream()
            .map(
                way ->
                    Map.<String, Object>of(
                        "way", way.getKey(),
                        "moves", way.getValue().moves(),
                        "bytes", Figures.bytes(way.getValue().bytes())))
            .toList();
  }

  private static List<Map<String, Object>> storage(ShadowReport report) {
    return new TreeMap<>(report.storage())
        .entrySet().stream()
            .map(
                type ->
                    Map.<String, Object>of(
                        "type", type.getKey(),
                        "used", Figures.bytes(type.getValue().used()),
                        "usedIf", Figures.bytes(type.getValue().usedIf()),
                        "capacity", Figures.bytes(type.getValue().capacity())))
            .toList();
  }

  private static Map<String, Object> slowRead(ShadowReport.SlowRead slowRead) {
    return Map.of(
        "path", slowRead.path(),
        "length", Figures.bytes(slowRead.length()),
        "reads", slowRead.reads(),
        "left", slowRead.reads() - slowRead.readsIf(),
        "from", slowRead.from(),
        "why", slowRead.why());
  }

  private static String template() throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream("report.html")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
