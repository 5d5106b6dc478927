// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.commands;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the commands read options and report failures: one line, exit code 2 for bad usage, 1 for a failure. */
final class Commands {

  private Commands() {}

  static CommandLine of(Object command) {
    CommandLine line = new CommandLine(command);
    line.setParameterExceptionHandler(
        (exception, args) -> {
          CommandLine failed = exception.getCommandLine();
          failed
              .getErr()
              .println(
                  exception.getMessage().lines().findFirst().orElse("bad usage")
                      + "; see '"
                      + failed.getCommandSpec().qualifiedName()
                      + " --help'");
          return CommandLine.ExitCode.USAGE;
        });
    line.setExecutionExceptionHandler(
        (exception, failed, result) -> {
          String message = exception.getMessage();
          failed
              .getErr()
              .println(
                  failed.getCommandName()
                      + ": "
                      + (message == null
                          ? exception.getClass().getSimpleName()
                          : message.lines().findFirst().orElse("")));
          return CommandLine.ExitCode.SOFTWARE;
        });
    return line;
  }

  /** Of {@code host:port}. */
  static InetSocketAddress address(CommandLine line, String option, String text) {
    Matcher matcher = Pattern.compile("(.+):(\\d{1,5})").matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65535) {
      throw new CommandLine.ParameterException(
          line, option + ": expected host:port, found '" + text + "'");
    }
    return new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  /** Such as {@code 512MB}; powers of 1000. */
  static final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return number(text, "(\\d{1,12})(B|KB|MB|GB|TB)", "a size like 512MB or 2GB");
    }
  }

  /** Such as {@code 200Mbit} a second. */
  static final class BitsPerSecond implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return number(text, "(\\d{1,12})(bit|Kbit|Mbit|Gbit)", "a rate like 200Mbit or 1Gbit");
    }
  }

  private static long number(String text, String pattern, String expected) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new TypeConversionException("expected " + expected + ", found '" + text + "'");
    }
    long value = Long.parseLong(matcher.group(1));
    int power = "BKMGT".indexOf(matcher.group(2).toUpperCase(Locale.ROOT).charAt(0));
    boolean isUnit = matcher.group(2).equalsIgnoreCase("B") || matcher.group(2).equals("bit");
    for (int i = 0; i < (isUnit ? 0 : power); i++) {
      value = Math.multiplyExact(value, 1000);
    }
    return value;
  }
}
