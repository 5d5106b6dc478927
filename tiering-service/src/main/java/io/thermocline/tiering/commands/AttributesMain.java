// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.hints.choice.Server;
import io.thermocline.hints.choice.hdfs.ChosenFiles;
import io.thermocline.placement.model.NodeAttributesException;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.attributes.DataNodePoll;
import io.thermocline.tiering.attributes.HandWritten;
import io.thermocline.tiering.attributes.PolledText;
import io.thermocline.tiering.attributes.ReplacedFile;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.observe.HadoopWeb;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of the poller that fills the node-attributes file of the placement policy. */
@Command(
    name = "thermocline attributes",
    mixinStandardHelpOptions = true,
    description = {
      "Asks the NameNode for its DataNodes and each of them, at its /jmx page, for its host's free"
          + " memory and processors and its mean block write time; writes them as free-memory, cpu"
          + " and latency into a node-attributes file for thermocline.placement.node-attributes."
          + " Needs the rights of HDFS's superuser; asks over TLS, and shows the ticket, where the"
          + " DataNodes want that.",
      "",
      "The file is replaced as a whole. A DataNode that doesn't answer is named and left out; where"
          + " none answers, the file stays as it is. HDFS has no journal: that attribute isn't"
          + " polled.",
      "",
      "Exit codes: 1 where HDFS or all DataNodes don't answer, or the file can't be written; 2 for bad"
          + " usage and what is wrong with the hand-written lines; with --every, 143 after SIGTERM,"
          + " 130 after Ctrl-C: what goes wrong later is said, and tried again."
    })
public final class AttributesMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private WritesFromCluster options;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description =
          "hand-written lines, copied unchanged before the polled ones; what they give to a host by"
              + " its full name isn't polled")
  private Path from;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      converter = CommandLines.Durations.class,
      description =
          "go on, with this pause after each time, such as 30s or 5m (default: only once)")
  private Duration every;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      converter = CommandLines.Durations.class,
      defaultValue = "2s",
      description = "how long to wait for a DataNode, at each step of asking it (default: 2s)")
  private Duration timeout;

  private final ServiceRuntime runtime = ServiceRuntime.system();

  /** What was said last, so that it isn't said each time. */
  private List<String> said = List.of();

  public static void main(String[] args) {
    System.exit(CommandLines.of(new AttributesMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    checkPaths();
    byHand();
    Configuration hadoop = options.hadoop();
    HadoopWeb web = new HadoopWeb(hadoop, timeout);
    DataNodePoll poll = new DataNodePoll(page -> web.text(URI.create(page)));
    try (DistributedFileSystem hdfs = options.open(hadoop)) {
      if (every == null) {
        write(hdfs, poll);
        return 0;
      }
      while (true) {
        try {
          write(hdfs, poll);
        } catch (ConfigException | IOException e) {
          say(List.of(CommandLines.explain(e)));
        }
        runtime.pause().pause(every);
      }
    }
  }

  private void write(DistributedFileSystem hdfs, DataNodePoll poll)
      throws ConfigException, IOException, InterruptedException {
    HandWritten byHand = byHand();
    List<Server> servers = ChosenFiles.servers(hdfs);
    DataNodePoll.Answers answers = poll.ask(servers);
    Path out = options.out();
    List<String> lines = new ArrayList<>();
    answers.silent().forEach((server, why) -> lines.add("left out: " + server + ": " + why));
    if (answers.hosts().isEmpty()) {
      lines.add(
          (servers.isEmpty() ? "no DataNode is in service" : "no DataNode answered")
              + ", so "
              + out
              + " stays as it is");
      throw new IOException(String.join("; ", lines));
    }
    try {
      new ReplacedFile(out)
          .write(PolledText.of(byHand, answers.hosts(), runtime.clock().instant()));
    } catch (NodeAttributesException e) {
      throw new IOException(
          "a NameNode would reject what was polled, so "
              + out
              + " stays as it is: "
              + e.problems().get(0),
          e);
    } catch (IOException e) {
      throw new IOException(out + " can't be written: " + e, e);
    }
    say(lines);
    if (every == null && options.isJson()) {
      options.print(
          Map.of(
              "file", out.toString(),
              "hosts", answers.hosts().size(),
              "leftOut", new TreeMap<>(answers.silent())));
    } else if (every == null) {
      spec.commandLine().getOut().println(out + ": " + answers.hosts().size() + " hosts");
    }
  }

  private void say(List<String> lines) {
    if (!lines.equals(said)) {
      lines.forEach(options::say);
      if (lines.isEmpty()) {
        options.say("written, all DataNodes answered");
      }
      said = List.copyOf(lines);
    }
  }

  /** Read anew each time: an administrator edits it meanwhile. */
  private HandWritten byHand() throws ConfigException, IOException {
    try {
      return HandWritten.parse(from == null ? "" : textOf(from));
    } catch (NodeAttributesException e) {
      throw new ConfigException(
          e.problems().stream()
              .map(one -> from + ":" + one.line() + ":" + one.column() + ": " + one.message())
              .toList());
    }
  }

  private static String textOf(Path file) throws ConfigException, IOException {
    try {
      return RegularFiles.text(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(List.of("--from: there is no file " + file));
    } catch (CharacterCodingException e) {
      throw new ConfigException(List.of(file + " is not UTF-8 text"));
    }
  }

  private void checkPaths() throws IOException {
    options.checkDirectory();
    Path out = options.out();
    if (from != null && Files.exists(out) && Files.exists(from) && Files.isSameFile(from, out)) {
      throw new ParameterException(
          spec.commandLine(),
          "--from and --out are one file; keep the hand-written lines in one of their own");
    }
  }
}
