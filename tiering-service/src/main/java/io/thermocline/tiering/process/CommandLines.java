// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * How every command of ours answers: bad usage is one line with the nearest valid spelling and exit
 * code 2, a failure one line and exit code 1.
 */
public final class CommandLines {

  public static final int USAGE = 2;
  public static final int FAILURE = 1;

  private CommandLines() {}

  /** A picocli command line with these habits. */
  public static CommandLine of(Object command) {
    CommandLine line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((exception, args) -> usage(exception));
    line.setExecutionExceptionHandler(
        (exception, commandLine, result) -> {
          commandLine.getErr().println(commandLine.getCommandName() + ": " + shown(exception));
          return exception instanceof ConfigException ? USAGE : FAILURE;
        });
    return line;
  }

  private static int usage(CommandLine.ParameterException exception) {
    CommandLine line = exception.getCommandLine();
    PrintWriter err = line.getErr();
    String message = exception.getMessage().lines().findFirst().orElse("bad usage");
    String hint = "; see '" + line.getCommandSpec().qualifiedName() + " --help'";
    List<String> unmatched = line.getUnmatchedArguments();
    boolean isUnmatched = exception instanceof CommandLine.UnmatchedArgumentException;
    if (!unmatched.isEmpty() && (isUnmatched || unmatched.get(0).startsWith("-"))) {
      String word = unmatched.get(0);
      if (!isUnmatched) {
        // A required option that is misspelt is missing, too; that says less.
        message = "Unknown option: '" + word + "'";
      }
      List<String> known =
          line.getCommandSpec().options().stream()
              .flatMap(option -> List.of(option.names()).stream())
              .toList();
      hint =
          Nearest.of(word.replaceFirst("=.*", ""), known)
              .or(() -> Nearest.of(word, line.getSubcommands().keySet()))
              .map(near -> "; did you mean " + near + "?")
              .orElse(hint);
    }
    err.println(line.getCommandSpec().qualifiedName() + ": " + OneLine.of(message + hint));
    return USAGE;
  }

  private static String shown(Exception exception) {
    return explain(exception).lines().map(OneLine::of).collect(Collectors.joining("\n"));
  }

  /** One line, but a configuration's problems, which are one each. */
  public static String explain(Exception exception) {
    String message = exception.getMessage();
    if (exception instanceof ConfigException) {
      return message;
    }
    // A NameNode's refusal carries its stack trace along in the message.
    return message == null || message.isBlank()
        ? exception.toString()
        : message.lines().filter(line -> !line.isBlank()).findFirst().orElse(message);
  }
}
