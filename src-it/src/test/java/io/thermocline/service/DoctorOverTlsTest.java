// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Doctor where the web servers speak TLS alone (dfs.http.policy), on a cluster of unlike nodes. */
@Tag("cluster")
class DoctorOverTlsTest {

  private static final String PASSWORD = "changeit";
  private static final long MIB = 1L << 20;

  @TempDir private Path temp;

  @Test
  void looksWhereServersSpeakTlsAlone() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader withKeys = new URLClassLoader(new URL[] {keys().toUri().toURL()}, before)) {
      // Hadoop looks for ssl-server.xml and ssl-client.xml on the class path.
      thread.setContextClassLoader(withKeys);
      look();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private void look() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Map<String, String> tls =
        Map.of(
            "dfs.http.policy", "HTTPS_ONLY",
            "dfs.namenode.https-address", "localhost:" + port,
            "dfs.datanode.https.address", "localhost:0");
    List<NodeLayout> nodes =
        List.of(
            new NodeLayout(
                "dn0.test",
                "/rack0",
                Map.of(StorageType.DISK, 64 * MIB, StorageType.SSD, 16 * MIB)),
            new NodeLayout(
                "dn1.test",
                "/rack1",
                Map.of(StorageType.DISK, 64 * MIB, StorageType.ARCHIVE, 64 * MIB)));
    try (ServedCluster cluster = ServedCluster.start(temp, nodes, tls)) {
      Path hadoop = temp.resolve("hadoop");
      Files.copy(temp.resolve("keys/ssl-client.xml"), hadoop.resolve("ssl-client.xml"));
      Path core = hadoop.resolve("core-site.xml");
      String site = Files.readString(ServiceSetup.site(temp.resolve("tls.xml"), tls));
      String properties =
          site.substring(site.indexOf("<property>"), site.indexOf("</configuration>"));
      Files.writeString(
          core,
          Files.readString(core).replace("</configuration>", properties + "</configuration>"));
      Doctor doctor =
          Doctor.run(ServiceProcess.USER, cluster.setup("/data").write(temp.resolve("service")));

      doctor.assertOk("cluster.safe-mode", "plugin.placement");
      // The names of the nodes are made up: nobody can look there, and doctor says so.
      assertEquals("note", doctor.checks().get("cluster.clocks"), doctor.text());
      doctor.assertFound(
          "storage.racks",
          "warning",
          "all storages of the type are on one rack of 2",
          "spread the nodes with such devices over racks");
      doctor.assertFound(
          "storage.shared-device",
          "warning",
          "two types have the same capacity and room to the byte",
          "give each type in dfs.datanode.data.dir a device of its own");
      assertFalse(doctor.text().contains("localhost:" + port + ": could not look"), doctor.text());
      assertTrue(doctor.text().contains("dn0.test:"), "by the names of certificates");
    }
  }

  /** A directory with a key for localhost, and what says where it is. */
  private Path keys() throws Exception {
    Path directory = Files.createDirectories(temp.resolve("keys"));
    Path store = directory.resolve("keys.p12");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.out").toFile());
    Process keytool = Reaper.watch(builder.start());
    assertTrue(keytool.waitFor(60, TimeUnit.SECONDS), "keytool ends");
    assertEquals(0, keytool.exitValue());
    ssl(directory.resolve("ssl-server.xml"), "ssl.server.", store);
    ssl(directory.resolve("ssl-client.xml"), "ssl.client.", store);
    return directory;
  }

  private static void ssl(Path file, String prefix, Path store) throws IOException {
    ServiceSetup.site(
        file,
        Map.of(
            prefix + "keystore.location",
            store.toString(),
            prefix + "keystore.password",
            PASSWORD,
            prefix + "keystore.keypassword",
            PASSWORD,
            prefix + "keystore.type",
            "PKCS12",
            prefix + "truststore.location",
            store.toString(),
            prefix + "truststore.password",
            PASSWORD,
            prefix + "truststore.type",
            "PKCS12"));
  }
}
