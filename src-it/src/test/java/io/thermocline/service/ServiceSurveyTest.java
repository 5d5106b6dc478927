// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image of some thousands of files, of which few are hot: these are found and moved, and no other is asked for. */
@Tag("cluster")
class ServiceSurveyTest {

  private static final int DIRECTORIES = 20;
  private static final int FILES_EACH = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern SOURCE = Pattern.compile("\tsrc=([^\t]*)\t");

  /** As they are called when the image is made. */
  private static final Set<String> HOT =
      new TreeSet<>(Set.of("/data/d3/hot", "/data/d17/hot", "/data/moved/hot", "/data/d19/hot2"));

  @TempDir private Path temp;

  @Test
  void movesTheRightFilesOfThousands() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      writeMany(cluster);
      for (String hot :
          List.of("/data/d3/hot", "/data/d17/hot", "/data/d8/hot", "/data/d19/hot1")) {
        cluster.write(hot);
        cluster.read(hot, 5);
      }
      // Their heat comes along, the one with its directory.
      DistributedFileSystem superuser = cluster.superuser();
      superuser.rename(path("/data/d8"), path("/data/moved"));
      superuser.rename(path("/data/d19/hot1"), path("/data/d19/hot2"));
      superuser.setSafeMode(SafeModeAction.ENTER);
      superuser.saveNamespace();
      superuser.setSafeMode(SafeModeAction.LEAVE);

      Path config =
          cluster
              .setup("/data")
              .fromTheBeginning()
              .image(cluster.web().toString())
              .apply()
              .replace("admission: off", "admission: on")
              .write(Files.createDirectories(temp.resolve("service")));
      try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
        Eventually.holds(
            "the hot ones on SSD",
            PATIENCE,
            () -> {
              for (String hot : HOT) {
                if (!cluster.has(hot, 1, StorageType.SSD)) {
                  return false;
                }
              }
              return true;
            });
        assertEquals(
            DIRECTORIES * FILES_EACH + HOT.size(),
            service.get("/state").at("/managed/files").asInt());
        service.plansOn(3);
        String message = service.get("/state").path("message").asText();
        assertTrue(message.startsWith("0 decisions, "), "nothing else to do: " + message);
        String directories = service.get("/directories?path=/data&limit=100").toString();
        assertTrue(
            directories.contains("\"/data/d5\""),
            "those too of which no file is kept: " + directories);
        List<String> hot = service.explains("/data/d3/hot");
        assertTrue(
            hot.get(2).startsWith("admission: read 5 times, with a chance of "),
            "its reads were learned from: " + hot);
        List<String> cold = service.explains("/data/d5/f7");
        assertTrue(
            cold.get(1).startsWith("0.0 block reads"), "of a file that no plan was about: " + cold);
      }

      // Just made when the image was: each is looked at for what came after it, and again only
      // where the service itself set a storage policy.
      List<String> listed = asked(cluster, "listStatus");
      Set<String> once = new HashSet<>();
      Set<String> twice = new TreeSet<>();
      for (String directory : listed) {
        if (!once.add(directory)) {
          assertTrue(twice.add(directory), listed::toString);
        }
      }
      HOT.forEach(file -> twice.remove(file.substring(0, file.lastIndexOf('/'))));
      assertEquals(Set.of(), twice, listed::toString);
      Set<String> located = new HashSet<>(asked(cluster, "getfileinfo"));
      located.removeIf(file -> !file.startsWith("/data/"));
      assertTrue(located.remove("/data/d5/f7"), "it was explained");
      // And their directories, before a policy is set: was the one before the file's own?
      Set<String> withDirectories = new HashSet<>(HOT);
      HOT.forEach(file -> withDirectories.add(file.substring(0, file.lastIndexOf('/'))));
      assertEquals(withDirectories, located);
      assertEquals(HOT, planned());
    }
  }

  /** Small ones, which nobody reads. */
  private static void writeMany(ServedCluster cluster) throws IOException {
    DistributedFileSystem superuser = cluster.superuser();
    for (int d = 0; d < DIRECTORIES; d++) {
      for (int f = 0; f < FILES_EACH; f++) {
        try (OutputStream out =
            superuser.create(path("/data/d" + d + "/f" + f), true, 512, (short) 1, 1 << 20)) {
          out.write(f);
        }
      }
    }
  }

  /** Of what paths the service asked a kind of question, by the audit log. */
  private static List<String> asked(ServedCluster cluster, String command) throws IOException {
    List<String> paths = new ArrayList<>();
    for (String line : Files.readAllLines(cluster.auditLog())) {
      Matcher source = SOURCE.matcher(line);
      if (line.contains("\tcmd=" + command + "\t")
          && line.contains("\tugi=" + ServiceProcess.USER + " ")
          && source.find()) {
        paths.add(source.group(1));
      }
    }
    return paths;
  }

  private Set<String> planned() throws IOException {
    Set<String> paths = new TreeSet<>();
    for (String line : ServiceSetup.journal(temp.resolve("service"), "\"entry\":\"planned\"")) {
      paths.add(line.replaceFirst(".*?\"path\":\"([^\"]*)\".*", "$1"));
    }
    return paths;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
