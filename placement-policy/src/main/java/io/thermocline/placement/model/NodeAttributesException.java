// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A node-attributes text can't be used; holds all of its problems, in the order of the text. */
public final class NodeAttributesException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One thing that is wrong, and where. Immutable. */
  public static final class Problem {
    private final int line;
    private final int column;
    private final String message;

    Problem(int line, int column, String message) {
      this.line = line;
      this.column = column;
      this.message = message;
    }

    /** From 1. */
    public int line() {
      return line;
    }

    /** From 1, in characters. */
    public int column() {
      return column;
    }

    public String message() {
      return message;
    }

    @Override
    public String toString() {
      return "line " + line + ", column " + column + ": " + message;
    }
  }

  private final transient List<Problem> problems;

  NodeAttributesException(List<Problem> problems) {
    super(text(problems));
    this.problems = Collections.unmodifiableList(new ArrayList<>(problems));
  }

  public List<Problem> problems() {
    return problems;
  }

  private static String text(List<Problem> problems) {
    StringBuilder text = new StringBuilder();
    for (Problem problem : problems) {
      text.append(text.length() == 0 ? "" : "\n").append(problem);
    }
    return text.toString();
  }
}
