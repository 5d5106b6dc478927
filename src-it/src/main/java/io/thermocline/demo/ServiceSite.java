// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.testbed.cluster.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Writes the files that the tiering service finds on a real host: Hadoop's and its own configuration. */
final class ServiceSite {

  private ServiceSite() {}

  /**
   * Writes core-site.xml, hdfs-site.xml and thermocline.yaml.
   *
   * @param hdfsSite the administrator's fragment, copied as it is
   * @return thermocline.yaml
   */
  static Path write(
      Path directory, EmbeddedCluster cluster, Path hdfsSite, List<String> managedPaths)
      throws IOException {
    Files.createDirectories(directory);
    Configuration core = new Configuration(false);
    core.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, cluster.uri().toString());
    core.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, cluster.layout().blockSize());
    try (OutputStream out = Files.newOutputStream(directory.resolve("core-site.xml"))) {
      core.writeXml(out);
    }
    Files.copy(hdfsSite, directory.resolve("hdfs-site.xml"));
    return Files.writeString(
        directory.resolve("thermocline.yaml"),
        fill(
            template(),
            Map.of(
                "hadoop", directory.toString(),
                "auditLog", cluster.auditLog().toString(),
                "paths", String.join(", ", managedPaths),
                "journal", directory.resolve("journal").toString())));
  }

  private static String template() throws IOException {
    try (InputStream in = ServiceSite.class.getResourceAsStream("thermocline.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String fill(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("@" + value.getKey() + "@", value.getValue());
    }
    return filled;
  }
}
