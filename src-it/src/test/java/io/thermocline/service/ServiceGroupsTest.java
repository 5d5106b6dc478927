// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.redirect.GroupFile;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.groups.GroupStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a group, from the reads in the audit log to its end. */
@Tag("cluster")
class ServiceGroupsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final org.apache.hadoop.fs.Path GROUPS =
      new org.apache.hadoop.fs.Path("/system/thermocline/groups");

  @TempDir static Path temp;
  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD), 3, Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      try {
        // Whatever test ran, alone or again.
        NameNodeCalls.in(cluster.auditLog())
            .areAllOf(
                NameNodeCalls.ALWAYS,
                NameNodeCalls.MARK,
                NameNodeCalls.AFTER_A_KILL,
                NameNodeCalls.MOVES,
                NameNodeCalls.NEEDLESS,
                NameNodeCalls.MOVES_AFTER_A_KILL,
                NameNodeCalls.UNDO,
                NameNodeCalls.GROUPS);
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  void isMadeShownRefreshedTakenBackAndDissolved() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    for (String name : List.of("a", "b", "c", "alone")) {
      write(fs, name, content(name));
    }
    for (String name : LARGE) {
      write(fs, name, ServedCluster.content(name));
      fs.setReplication(path(name), (short) 2);
    }
    Path directory = Files.createDirectories(temp.resolve("service"));
    String address = "127.0.0.1:" + freePort();
    Path config =
        setup(
                "/together",
                "every: 1s, forget: 1d, largestFile: 100 KB, raise: {maxBytes: 100 MB, reads: 2}")
            .replace("listen: 127.0.0.1:8480", "listen: " + address)
            .write(directory);
    GroupStore store = GroupStore.of(fs, GROUPS);
    String api = "http://" + address + "/api/v1";
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      // A look between the first reads may find two of them together.
      eventually(
          "a group of three",
          () -> {
            JsonNode made = readTogether(fs) ? shown(api, "MAKE_FILE") : null;
            return made != null && made.path("members").size() == 3;
          });
      GroupFile group = store.table().groups().get(0);
      assertEquals(3, group.members().size());
      assertEquals("local", group.pattern());
      assertEquals("random_small", group.sequence());
      assertTrue(isOnSsd(fs, group), "on SSD");
      isTold(api, directory, group.id());
      isReadBy(fs);

      // One of them is written anew: so is the group.
      write(fs, "b", content("b, other"));
      eventually(
          "made anew",
          () -> {
            JsonNode now = readTogether(fs) ? shown(api, "MAKE_FILE") : null;
            return now != null && now.path("replaces").asText().equals("" + group.id());
          });
      assertEquals(
          1, ServiceSetup.journal(directory, "groupEnded", "" + group.id()).size(), "one end");

      eventually("counted", () -> isCounted(text("http://" + address + "/metrics")));

      eventually("more replicas", () -> readTogether(fs) && shown(api, "RAISE") != null);
      isRaised(fs, shown(api, "RAISE"));
      isOnAPage("http://" + address + "/ui/#/groups");

      // Alice sets the factor of one herself, to what the service had made it: hers is left.
      fs.setOwner(path("y"), "alice", null);
      cluster.as("alice").setReplication(path("y"), (short) 3);
      eventually(
          "taken over",
          () -> !ServiceSetup.journal(directory, "takenOver", "/together/y").isEmpty());

      long file = shown(api, "MAKE_FILE").get("plan").asLong();
      takeBack(api, shown(api, "RAISE").get("plan").asLong());
      eventually(
          "as before",
          () -> shown(api, "RAISE") == null && fs.getFileStatus(path("x")).getReplication() == 2);
      assertEquals(3, fs.getFileStatus(path("y")).getReplication(), "hers");
      takeBack(api, file);
      eventually("no file", () -> shown(api, "MAKE_FILE") == null);
      for (int i = 0; i < 3; i++) {
        readTogether(fs);
      }
      assertEquals(0, store.table().groups().size(), "not wanted");
      service.terminate();
    }
    assertTrue(run("check", "--config", config.toString()).contains("0 problems"));
    assertArrayEquals(content("a"), read(fs, "a"), "originals are as they were");
    NameNodeCalls.in(cluster.auditLog()).include(NameNodeCalls.ALWAYS, NameNodeCalls.GROUPS);
  }

  /** Each file is opened once, so the audit log tells nothing: DataNodes do, and how much of a block is read. */
  @Test
  void blocksThatAreReadTogetherAreFoundInClienttrace() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    List<String> names = List.of("k", "l", "m");
    for (String name : names) {
      write(fs, name, oneBlock(name));
    }
    // Of whose blocks one alone is read together with those.
    write(fs, "larger", content("larger", 900_000));
    long second = block(fs, "larger", 1);
    Path directory = Files.createDirectories(temp.resolve("blocks"));
    String at = "/system/thermocline/blocks";
    // Looks come each ten minutes by default, and sooner after a start.
    List<FSDataInputStream> open = new ArrayList<>();
    try (ClientTrace trace = ClientTrace.into(temp.resolve("datanodes/hdfs-clienttrace.log"))) {
      Path config =
          setup("/together", "forget: 1d, largestFile: 1 MB, blockWindow: 2s, directory: " + at)
              .clientTraceLogs(trace.file().toString())
              .write(directory);
      GroupStore store = GroupStore.of(fs, new org.apache.hadoop.fs.Path(at));
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        DistributedFileSystem reader = cluster.as("alice");
        for (String name : names) {
          open.add(reader.open(path(name)));
        }
        FSDataInputStream larger = reader.open(path("larger"));
        open.add(larger);
        eventually(
            "a group of blocks",
            () -> {
              for (FSDataInputStream in : open) {
                in.readFully(in == larger ? 300_000L : 4096L, new byte[4096]);
              }
              return store.table().groups().stream()
                  .flatMap(group -> group.members().stream())
                  .anyMatch(member -> member.blockId() == second);
            });
        GroupFile group = store.table().groups().get(0);
        // By the files' length alone they would be read whole, and from disk.
        assertEquals("random_small", group.sequence());
        assertTrue(isOnSsd(fs, group), "on SSD");
        assertTrue(
            names.stream().anyMatch(name -> isReadFrom(group, fs, name, oneBlock(name))),
            "what was read is in it");
        assertTrue(isReadFrom(group, fs, "larger", content("larger", 900_000)), "one block of it");
        assertEquals(
            1,
            ServiceSetup.journal(directory, "\"entry\":\"group\"", "/larger:blk_" + second).size());
        service.terminate();
      }
    } finally {
      for (FSDataInputStream in : open) {
        in.close();
      }
    }
  }

  private static long block(DistributedFileSystem fs, String name, int index) throws Exception {
    return fs.getClient()
        .getLocatedFileInfo(path(name).toUri().getPath(), false)
        .getLocatedBlocks()
        .get(index)
        .getBlock()
        .getBlockId();
  }

  private static boolean isReadFrom(
      GroupFile group, DistributedFileSystem fs, String name, byte[] content) {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(group.path()).getParent();
    try (GroupReads reads =
            new GroupReads(
                fs.getClient(), directory, GroupReads.Limits.defaults(), System::nanoTime);
        FSDataInputStream in = reads.open(fs.open(path(name)))) {
      assertArrayEquals(content, in.readAllBytes(), name);
      return reads.redirected() == 1;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void isDissolvedWhenCold() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    for (String name : List.of("p", "q")) {
      write(fs, name, content(name));
    }
    Path directory = Files.createDirectories(temp.resolve("cold"));
    Path config =
        setup("/together", "every: 1s, forget: 10s, directory: /system/thermocline/cold")
            .write(directory);
    GroupStore store = GroupStore.of(fs, new org.apache.hadoop.fs.Path("/system/thermocline/cold"));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      eventually("a group", () -> readAll(fs, "p", "q") && !store.table().groups().isEmpty());
      String said = run("list", "--config", config.toString());
      assertTrue(said.startsWith("1 group,"), said);
      eventually("dissolved", () -> store.table().groups().isEmpty());
      eventually("journaled", () -> !ServiceSetup.journal(directory, "cold: not read").isEmpty());
      assertEquals(0, store.bytes());
      service.terminate();
    }
    assertTrue(run("remove", "--config", config.toString()).startsWith("removed 0 groups"));
    assertFalse(fs.exists(new org.apache.hadoop.fs.Path("/system/thermocline/cold")));
  }

  /** By default at the point that leaves most behind; at all with {@code -Dcrash.points=all}. */
  @Test
  void noCrashLeavesAnythingUnnoticed() throws Exception {
    DistributedFileSystem fs = cluster.superuser();
    List<String> points =
        "all".equals(System.getProperty("crash.points"))
            ? List.of("group.unrecorded", "group.recorded", "groupShown.unrecorded")
            : List.of("groupShown.unrecorded");
    for (String point : points) {
      String at = "/system/thermocline/crash-" + point;
      Path directory = Files.createDirectories(temp.resolve(point));
      forget();
      write(fs, "m" + point, content("m"));
      write(fs, "n" + point, content("n"));
      Path config = setup("/together", "every: 1s, forget: 1d, directory: " + at).write(directory);
      GroupStore store = GroupStore.of(fs, new org.apache.hadoop.fs.Path(at));
      CrashingService.dies(
          directory,
          config,
          point,
          CrashingService.Asked.NOTHING,
          () -> readAll(fs, "m" + point, "n" + point));
      fs.recoverLease(new org.apache.hadoop.fs.Path("/system/thermocline/mover.id"));
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        eventually(
            point,
            () ->
                readAll(fs, "m" + point, "n" + point)
                    && !ServiceSetup.journal(directory, "groupShown").isEmpty());
        service.terminate();
      }
      List<GroupFile> groups = store.table().groups();
      assertEquals(1, groups.size(), point);
      assertEquals(
          1,
          fs.listStatus(new org.apache.hadoop.fs.Path(at)).length - 1,
          point + ": no other file");
      int made = ServiceSetup.journal(directory, "\"entry\":\"group\"").size();
      int ended = ServiceSetup.journal(directory, "\"entry\":\"groupEnded\"").size();
      assertEquals(1, made - ended, point + ": each but the one that is there has its end");
      isRemovedWithoutTheJournal(fs, at, config);
    }
  }

  /** By the files in the directory of groups. */
  private static void isRemovedWithoutTheJournal(DistributedFileSystem fs, String at, Path config)
      throws Exception {
    Files.move(
        ServiceSetup.journalOf(config.getParent()), config.resolveSibling("the journal is lost"));
    String would = uninstall(config);
    assertTrue(would.contains("groups of copies: 1\n"), would);
    assertTrue(fs.exists(new org.apache.hadoop.fs.Path(at)));
    String done = uninstall(config, "--yes");
    assertTrue(done.contains("Nothing of the service is left in HDFS"), done);
    assertFalse(fs.exists(new org.apache.hadoop.fs.Path(at)), done);
    assertArrayEquals(content("m"), read(fs, "m" + at.replaceFirst(".*crash-", "")));
    String again = uninstall(config, "--yes");
    assertTrue(again.contains("groups of copies: 0\n"), again);
    assertTrue(again.contains("storage policies: 0\n"), again);
  }

  /** By an administrator, whose calls aren't counted as the service's. */
  private static String uninstall(Path config, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("uninstall", "--config", config.toString()));
    words.addAll(List.of(options));
    Launched ran =
        Launched.installedBehind(
            List.of(), config.getParent(), System.getProperty("user.name"), words);
    assertEquals(0, ran.status(), ran.out() + ran.err());
    return ran.out();
  }

  /** One service's storage policy of the directory would be somebody's wish for the next. */
  @AfterEach
  void forget() throws Exception {
    cluster.superuser().delete(new org.apache.hadoop.fs.Path("/together"), true);
  }

  private static final List<String> LARGE = List.of("x", "y");

  private static ServiceSetup setup(String managed, String keys) {
    return cluster
        .setup(managed)
        .apply()
        .replace("# actions:", "actions:")
        .replace(
            "  # groups: {maxBytes: 100 GB, directory: /system/thermocline/groups, every: 10m,"
                + " forget: 1d, window: 2s, blockWindow: 10ms, distance: 50 %, files: 10,"
                + " hotShare: by capacity, period: 1m, perLook: 1 GB, largestFile: 8 MB, replicas: 1,"
                + " free: 10 %, raise: {maxBytes: 1 TB, reads: 10}}",
            "  groups: {maxBytes: 100 MB, window: 5s, hotShare: 10 %, " + keys + "}");
  }

  /** In REST, in what is said of a member, and in the journal. */
  private static void isTold(String api, Path directory, long id) throws Exception {
    JsonNode group = shown(api, "MAKE_FILE");
    assertEquals("" + id, group.get("id").asText());
    assertEquals(3, group.get("members").size());
    assertTrue(group.get("places").get(0).asText().endsWith(" SSD"), group::toString);
    assertEquals(group, get(api + "/groups/" + id));
    assertEquals(group.get("bytes"), get(api + "/groups/space").get("fileBytes"));
    eventually(
        "said of a member",
        () -> {
          JsonNode file = get(api + "/files?path=/together/a");
          String said = file.path("explanation").toString();
          return said.contains("group " + id)
              && said.contains("/together/b")
              && said.contains("accessed as active")
              && file.at("/access/patterns/0").asText().equals("active");
        });
    assertEquals(1, ServiceSetup.journal(directory, "\"entry\":\"group\"", "" + id).size());
    assertEquals(1, ServiceSetup.journal(directory, "\"entry\":\"groupShown\"", "" + id).size());
  }

  private static boolean isCounted(String metrics) {
    return Stream.of(
            "made_total{kind=\"new\"}",
            "made_total{kind=\"refreshed\"}",
            "ended_total{cause=\"changed\"}",
            "members{kind=\"file\"}",
            "bytes{kind=\"file\"}",
            "opens_total")
        .allMatch(
            name ->
                Pattern.compile("(?m)^" + Pattern.quote("thermocline_groups_" + name) + " [1-9]")
                    .matcher(metrics)
                    .find());
  }

  private static void isReadBy(DistributedFileSystem fs) throws Exception {
    try (GroupReads reads =
        new GroupReads(fs.getClient(), GROUPS, GroupReads.Limits.defaults(), System::nanoTime)) {
      for (String name : List.of("a", "b", "c", "alone")) {
        try (FSDataInputStream in = reads.open(fs.open(path(name)))) {
          assertArrayEquals(content(name), in.readAllBytes(), name);
        }
      }
      assertEquals(3, reads.redirected());
    }
  }

  /** Three replicas of each block of each member, one of them on the group's node. On SSD where moves came first. */
  private static void isRaised(DistributedFileSystem fs, JsonNode group) throws Exception {
    String place = group.get("places").get(0).asText();
    assertTrue(place.matches("[^ ]+ (DISK|SSD)"), place);
    for (String name : LARGE) {
      for (LocatedBlock block :
          fs.getClient()
              .getLocatedFileInfo(path(name).toUri().getPath(), false)
              .getLocatedBlocks()
              .getLocatedBlocks()) {
        assertEquals(3, block.getLocations().length, name);
        assertTrue(
            Stream.of(block.getLocations())
                .anyMatch(node -> place.startsWith(node.getXferAddr() + " ")),
            () -> place + " has no copy of " + block);
      }
    }
  }

  private static void isOnAPage(String page) throws Exception {
    try (Browser browser = Browser.start(temp.resolve("browser"))) {
      browser.size(1400, 1000);
      for (boolean dark : new boolean[] {false, true}) {
        browser.dark(dark);
        browser.open(page);
        browser.shows("Files that are read together");
        browser.shows("/together/a");
        browser.shows("one more replica");
        browser.settled();
        browser.isAccessible("Groups");
        browser.picture(
            Path.of("target", "dashboard").resolve(dark ? "Groups-dark.png" : "Groups.png"));
      }
      assertEquals(List.of(), browser.errors());
    }
  }

  private static void takeBack(String api, long plan) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(api + "/plans/" + plan + "/undo"))
                    .header("Content-Type", "application/json")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"dryRun\": false, \"why\": \"a test\"}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    // The second of two groups of one plan went with the first.
    assertTrue(
        answer.statusCode() == 202 || answer.body().contains("NOTHING_TO_UNDO"), answer::body);
  }

  /** The newest group of that kind that is complete; null where there is none. */
  private static JsonNode shown(String api, String kind) throws Exception {
    for (JsonNode group : get(api + "/groups").path("items")) {
      if (group.get("kind").asText().equals(kind) && group.get("complete").asBoolean()) {
        return group;
      }
    }
    return null;
  }

  private static JsonNode get(String address) throws Exception {
    return new ObjectMapper().readTree(text(address));
  }

  private static String text(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void write(DistributedFileSystem fs, String name, byte[] content)
      throws Exception {
    // For all but its group, so not for all: the group's file gets the owner of its members.
    FsPermission permission = new FsPermission((short) 0604);
    try (OutputStream out =
        fs.create(
            path(name),
            permission,
            true,
            4096,
            fs.getDefaultReplication(path(name)),
            fs.getDefaultBlockSize(path(name)),
            null)) {
      out.write(content);
    }
  }

  private static boolean readTogether(DistributedFileSystem fs) throws Exception {
    return readAll(fs, "a", "b", "c") && readAll(fs, "x", "y");
  }

  private static boolean readAll(DistributedFileSystem fs, String... names) throws Exception {
    UserGroupInformation.createRemoteUser("reader")
        .doAs(
            (java.security.PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem reader =
                      (DistributedFileSystem)
                          org.apache.hadoop.fs.FileSystem.newInstance(fs.getUri(), fs.getConf())) {
                    for (String name : names) {
                      read(reader, name);
                    }
                  }
                  return null;
                });
    return true;
  }

  private static byte[] read(DistributedFileSystem fs, String name) throws Exception {
    try (InputStream in = fs.open(path(name))) {
      return in.readAllBytes();
    }
  }

  private static boolean isOnSsd(DistributedFileSystem fs, GroupFile group) throws Exception {
    List<LocatedBlock> blocks =
        fs.getClient()
            .getLocatedFileInfo(group.path(), false)
            .getLocatedBlocks()
            .getLocatedBlocks();
    return blocks.size() == 1
        && blocks.get(0).getStorageTypes().length == 1
        && blocks.get(0).getStorageTypes()[0] == org.apache.hadoop.fs.StorageType.SSD;
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path("/together/" + name);
  }

  private static byte[] content(String name) {
    return content(name, 20_000);
  }

  /** More than what is small, less than a block. */
  private static byte[] oneBlock(String name) {
    return content(name, 200_000);
  }

  private static byte[] content(String name, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(name.hashCode()).nextBytes(content);
    return content;
  }

  private static void eventually(String what, java.util.concurrent.Callable<Boolean> holds) {
    Eventually.holds(what, PATIENCE, holds);
  }

  private static String run(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("groups"));
    words.addAll(List.of(arguments));
    Launched groups = Launched.installed(temp, ServiceProcess.USER, words);
    assertEquals(0, groups.status(), groups::toString);
    return groups.out();
  }
}
