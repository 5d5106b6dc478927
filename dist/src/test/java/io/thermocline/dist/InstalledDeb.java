// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The real .deb on a real Debian: installed over an older one, its unit verified, what it starts run by hand, removed,
 * purged. For root, after {@code bin/thermocline build}, in a directory made by
 *
 * <pre>
 *   debootstrap --variant=minbase --include=adduser,systemd,openjdk-17-jre-headless bookworm DIRECTORY
 *   mvn -pl dist -am test -Dtest=InstalledDeb -Dsurefire.failIfNoSpecifiedTests=false -Ddeb.root=DIRECTORY
 * </pre>
 */
class InstalledDeb {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final String CONF = "/etc/thermocline/thermocline.yaml";

  private final Path debian = Path.of(System.getProperty("deb.root", "/nowhere"));

  @Test
  void comesAndGoesWithoutATrace() throws Exception {
    assertTrue(
        Files.isExecutable(debian.resolve("usr/bin/dpkg")),
        "-Ddeb.root is to name a directory made by debootstrap, it is " + debian);
    Set<String> before = files();
    List<String> users = users();
    try {
      install(deb("old.deb", new Release("0.0.1", Release.of(ROOT).time()), "lib/gone.jar"));
      assertTrue(Files.exists(debian.resolve("usr/lib/thermocline/lib/gone.jar")));
      write(CONF, Files.readString(at(CONF)) + "# ours\n");
      systemd();
      install(deb("new.deb", Release.of(ROOT), null));
      assertEquals(
          List.of(
              "is-active thermocline.service",
              "stop thermocline.service",
              "is-active thermocline-mover.service",
              "stop thermocline-mover.service",
              "is-active thermocline-directory-hints.service",
              "stop thermocline-directory-hints.service",
              "is-active thermocline-attributes.service",
              "stop thermocline-attributes.service",
              "daemon-reload",
              "start thermocline-mover.service",
              "start thermocline.service",
              "start thermocline-directory-hints.service",
              "start thermocline-attributes.service"),
          Files.readAllLines(at("/tmp/systemctl.log")).stream().distinct().toList());
      assertFalse(Files.exists(at("/usr/lib/thermocline/lib/gone.jar")), "of the older one");
      assertTrue(Files.readString(at(CONF)).endsWith("# ours\n"), "configuration is kept");
      withoutSystemd();

      assertEquals("", run("systemd-analyze verify /usr/lib/systemd/system/thermocline*.service"));
      assertTrue(run("thermocline help").contains("status"), "the link on the PATH");
      run("bash -n /etc/thermocline/shellprofile.d/thermocline.sh");
      startedByHand();

      run("dpkg --remove thermocline");
      assertTrue(Files.exists(at(CONF)), "configuration is kept");
      assertTrue(Files.exists(at("/var/lib/thermocline/kept")), "the journal is kept");
      assertFalse(Files.exists(at("/usr/lib/thermocline")));
      assertFalse(Files.exists(at("/usr/lib/systemd/system/thermocline.service")));
      write("/etc/thermocline/tokens", "ann operator 00\n");
    } finally {
      run("rm -f /old.deb /new.deb; dpkg --purge thermocline; rm -rf /tmp/*");
      withoutSystemd();
    }
    Set<String> left = files();
    left.removeAll(before);
    assertEquals(Set.of(), left, "nothing is left");
    assertEquals(users, users(), "no user is left");
  }

  /** As systemd does: the unit's command, by its user, in its directories. */
  private void startedByHand() throws Exception {
    String command =
        Files.readAllLines(at("/usr/lib/systemd/system/thermocline.service")).stream()
            .filter(line -> line.startsWith("ExecStart="))
            .findFirst()
            .orElseThrow()
            .substring("ExecStart=".length());
    String started = "su -s /bin/sh thermocline -c '" + command + " %s'; echo status $?";
    String checked = run(started.formatted("--check"));
    // On a host without the cluster's configuration it says so, and systemd doesn't try again.
    assertTrue(checked.contains("hdfs.configuration: /etc/hadoop/conf"), checked);
    assertTrue(checked.endsWith("status 2\n"), checked);
    String wrong = run(started.formatted(""));
    assertTrue(wrong.contains("hdfs.configuration: /etc/hadoop/conf"), wrong);
    assertTrue(wrong.endsWith("status 2\n"), wrong);
    assertTrue(Files.exists(at("/var/log/thermocline/audit.log")), "may write its log");
    run("su -s /bin/sh thermocline -c 'touch /var/lib/thermocline/kept'");
  }

  /** One that runs the service, and writes down what it is told. */
  private void systemd() throws IOException {
    Files.createDirectories(at("/run/systemd/system"));
    write(
        "/usr/local/bin/systemctl",
        "#!/bin/sh\necho \"$*\" >>/tmp/systemctl.log\n[ \"$1\" != is-active ] || echo active\n");
    Files.setPosixFilePermissions(
        at("/usr/local/bin/systemctl"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void withoutSystemd() throws IOException {
    Files.deleteIfExists(at("/usr/local/bin/systemctl"));
    Files.deleteIfExists(at("/run/systemd/system"));
  }

  private Path at(String path) {
    return debian.resolve(path.substring(1));
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(at(path).getParent());
    Files.writeString(at(path), text);
  }

  private String deb(String name, Release release, String more) throws IOException {
    List<Entry> tree = new ArrayList<>(InstalledTree.of(ROOT, release));
    if (more != null) {
      tree.add(Entry.text(more, Entry.PLAIN, "old"));
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(debian.resolve(name)))) {
      Deb.write(tree, release, out);
    }
    return "/" + name;
  }

  private void install(String file) throws Exception {
    run("dpkg --force-confold --install " + file);
  }

  /**
   * Without what dpkg and the linker keep of themselves, and without /run: a file system of a running machine, where
   * adduser and systemd leave marks of their own.
   */
  private Set<String> files() throws Exception {
    Set<String> files = new TreeSet<>();
    run("find / -xdev -path /proc -prune -o -path /run -prune -o -path /tmp -prune"
            + " -o -path /var/lib/dpkg -prune -o -path /var/cache -prune -o -path /var/log -prune -o -print")
        .lines()
        .filter(path -> !path.matches("/etc/(passwd|group|shadow|gshadow)-"))
        .forEach(files::add);
    run("find /var/log -name 'thermocline*'").lines().forEach(files::add);
    run("find /var/lib/dpkg/info -name 'thermocline*'").lines().forEach(files::add);
    return files;
  }

  private List<String> users() throws IOException {
    List<String> users = new ArrayList<>(Files.readAllLines(debian.resolve("etc/passwd")));
    users.addAll(Files.readAllLines(debian.resolve("etc/group")));
    return users;
  }

  /** In the directory as the root of a file system of its own, with /proc as long as it takes. */
  private String run(String command) throws Exception {
    Path out = Files.createTempFile("installed-deb", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(
                  "unshare",
                  "-m",
                  "sh",
                  "-c",
                  "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" /bin/bash -c \"$1\"",
                  debian.toString(),
                  command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().clear();
      builder
          .environment()
          .put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
      Process process = builder.start();
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> command + " ends");
      String said = Files.readString(out);
      assertEquals(0, process.exitValue(), () -> command + " said:\n" + said);
      return said;
    } finally {
      Files.delete(out);
    }
  }
}
