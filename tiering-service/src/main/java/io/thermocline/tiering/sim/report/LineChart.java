// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** Curves as SVG that needs no script, values on a linear axis from 0. */
final class LineChart {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 340;
  private static final int LEFT = 76;
  private static final int RIGHT = 16;
  private static final int TOP = 12;
  private static final int BOTTOM = 34;
  private static final int TICKS = 5;

  private final Axis axis;
  private final DoubleFunction<String> unit;
  private final double top;
  private final StringBuilder svg = new StringBuilder();

  private LineChart(Axis axis, List<Curve> curves, DoubleFunction<String> unit) {
    this.axis = axis;
    this.unit = unit;
    this.top =
        nice(
            curves.stream()
                .flatMapToDouble(curve -> curve.values().stream().mapToDouble(Double::doubleValue))
                .filter(Double::isFinite)
                .max()
                .orElse(1));
  }

  /**
   * @param label what the chart shows, for those who don't see it
   * @param unit writes a value of the axis
   */
  static String svg(String label, Axis axis, List<Curve> curves, DoubleFunction<String> unit) {
    LineChart chart = new LineChart(axis, curves, unit);
    chart.draw(label, curves);
    return chart.svg.toString();
  }

  private void draw(String label, List<Curve> curves) {
    add("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, escape(label));
    for (int tick = 0; tick <= TICKS; tick++) {
      double value = top * tick / TICKS;
      add(
          "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"y\" x=\"%d\" y=\"%.1f\">%s</text>",
          LEFT, y(value), WIDTH - RIGHT, LEFT - 8, y(value) + 4, escape(unit.apply(value)));
    }
    for (int i = 0; i < axis.labels().size(); i++) {
      add(
          "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"x\" x=\"%.1f\" y=\"%d\">%s</text>",
          x(i), TOP, HEIGHT - BOTTOM, x(i), HEIGHT - 10, escape(axis.labels().get(i)));
    }
    curves.forEach(this::draw);
    svg.append("</svg>\n");
  }

  private void draw(Curve curve) {
    StringBuilder path = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    for (int i = 0; i < axis.labels().size(); i++) {
      double value = curve.values().get(i);
      if (Double.isFinite(value)) {
        String at = String.format(Locale.ROOT, "%.1f %.1f", x(i), y(value));
        path.append(path.isEmpty() ? "M" : "L").append(at);
        dots.append(
            String.format(
                Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", x(i), y(value)));
      }
    }
    add(
        "<g class=\"line %s\"><title>%s</title><path d=\"%s\"/>%s</g>",
        curve.css(), escape(curve.title()), path, dots);
  }

  private double x(int index) {
    // A margin at both ends, so that the labels of the first and last have room.
    return LEFT + (WIDTH - LEFT - RIGHT) * (0.05 + 0.9 * axis.places().get(index));
  }

  private double y(double value) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  }

  /** The least of 1, 2, 2.5, 4, 5, 8 times a power of ten that isn't below the value. */
  private static double nice(double value) {
    if (value <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    return DoubleStream.of(1, 2, 2.5, 4, 5, 8, 10)
        .map(step -> step * power)
        .filter(step -> step >= value)
        .findFirst()
        .orElse(10 * power);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
