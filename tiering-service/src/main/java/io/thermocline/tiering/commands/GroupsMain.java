// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.tiering.act.groups.GroupCheck;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.groups.GroupExecutorFactory;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HdfsConnection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of the command that looks after group files. */
@Command(
    name = "thermocline groups",
    mixinStandardHelpOptions = true,
    description = {
      "Lists, checks and removes the group files of decide.actions.groups: copies of small files that are read"
          + " together. Originals are never touched.",
      "",
      "Needs the rights of HDFS's superuser. Repair and remove while the service isn't running.",
      "",
      "Exit codes: 1 where HDFS can't be used; 2 for bad usage and what is wrong with the configuration; 3 where"
          + " check found something and --repair wasn't given."
    })
public final class GroupsMain {

  /** Something is wrong with groups. */
  private static final int FOUND = 3;

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    String[] given = args.length == 0 ? new String[] {"--help"} : args;
    System.exit(CommandLines.of(new GroupsMain()).execute(given));
  }

  private interface Task {
    int run(GroupStore store) throws IOException;
  }

  private static int with(java.nio.file.Path config, Task task)
      throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    return OwnCalls.make(
        () -> {
          try (DistributedFileSystem hdfs = HdfsConnection.open(settings.hdfs())) {
            return task.run(
                GroupStore.of(hdfs, new Path(GroupExecutorFactory.directory(settings))));
          }
        });
  }

  private static final String CONFIG = "the service's thermocline.yaml";

  private static final String JSON = "print one JSON object";

  private void print(Map<String, ?> report) throws IOException {
    out().println(new ObjectMapper().writeValueAsString(new TreeMap<>(report)));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  @Command(
      description = "Print the groups that readers are sent to.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--config", required = true, paramLabel = "FILE", description = CONFIG)
          java.nio.file.Path config,
      @Option(names = "--json", description = JSON) boolean json)
      throws ConfigException, IOException, InterruptedException {
    return with(
        config,
        store -> {
          List<GroupFile> groups = store.table().groups();
          if (json) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("bytes", store.bytes());
            List<Object> list = new ArrayList<>();
            groups.forEach(group -> list.add(json(group)));
            report.put("groups", list);
            print(report);
            return 0;
          }
          out()
              .printf(
                  "%s, %,d bytes on devices%n",
                  Quantities.count(groups.size(), "group"), store.bytes());
          for (GroupFile group : groups) {
            out()
                .printf(
                    "%s: %s, %,d bytes, %s, %s%n",
                    group.path(),
                    Quantities.count(group.members().size(), "file"),
                    group.length(),
                    group.pattern(),
                    group.sequence());
          }
          return 0;
        });
  }

  private static Map<String, Object> json(GroupFile group) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", group.id());
    map.put("path", group.path());
    map.put("bytes", group.length());
    map.put("pattern", group.pattern());
    map.put("sequence", group.sequence());
    map.put("inodes", group.members().stream().map(GroupFile.Member::inode).toList());
    return map;
  }

  @Command(
      description =
          "Compare the redirect table, the group files and the originals, and say what doesn't agree.",
      mixinStandardHelpOptions = true)
  int check(
      @Option(names = "--config", required = true, paramLabel = "FILE", description = CONFIG)
          java.nio.file.Path config,
      @Option(
              names = "--repair",
              description =
                  "make the table again of what is right, and delete group files that nobody may be sent to")
          boolean repair,
      @Option(names = "--json", description = JSON) boolean json)
      throws ConfigException, IOException, InterruptedException {
    return with(
        config,
        store -> {
          GroupCheck.Result result = new GroupCheck(store).check(repair);
          int status = result.problems().isEmpty() || repair ? 0 : FOUND;
          if (json) {
            print(
                Map.of(
                    "good", result.good().size(),
                    "problems", result.problems(),
                    "repaired", repair));
            return status;
          }
          result.problems().forEach(out()::println);
          out()
              .printf(
                  "%d groups are as they should be, %d problems%s%n",
                  result.good().size(),
                  result.problems().size(),
                  repair && !result.problems().isEmpty() ? ", repaired" : "");
          return status;
        });
  }

  @Command(
      description = "Remove all groups and their directory: every reader goes to the originals.",
      mixinStandardHelpOptions = true)
  int remove(
      @Option(names = "--config", required = true, paramLabel = "FILE", description = CONFIG)
          java.nio.file.Path config,
      @Option(names = "--json", description = JSON) boolean json)
      throws ConfigException, IOException, InterruptedException {
    return with(
        config,
        store -> {
          int groups = store.table().groups().size();
          store.removeAll();
          store.removeDirectory();
          if (json) {
            print(Map.of("removed", groups));
          } else {
            out().println("removed " + Quantities.count(groups, "group"));
          }
          return 0;
        });
  }
}
