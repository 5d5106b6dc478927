// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Writes the files that the tiering service finds on a real host: Hadoop's and its own configuration. */
public final class ServiceSite {

  private ServiceSite() {}

  /**
   * Writes core-site.xml, hdfs-site.xml and thermocline.yaml.
   *
   * @param hdfsSite the administrator's fragment, copied as it is
   * @param template thermocline.yaml as a resource of the caller's, with names between {@code @} where values belong
   * @param values of these, beside {@code hadoop}, {@code auditLog} and {@code journal}
   * @return thermocline.yaml
   */
  public static Path write(
      Path directory,
      EmbeddedCluster cluster,
      Path hdfsSite,
      InputStream template,
      Map<String, String> values)
      throws IOException {
    Files.createDirectories(directory);
    OsUser.openUpTo(cluster.logDirectory());
    site(
        directory.resolve("core-site.xml"),
        Map.of(
            CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
            cluster.uri().toString(),
            HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY,
            Long.toString(cluster.layout().blockSize())));
    Files.copy(hdfsSite, directory.resolve("hdfs-site.xml"));
    String text = new String(template.readAllBytes(), StandardCharsets.UTF_8);
    text = fill(text, values);
    text =
        fill(
            text,
            Map.of(
                "hadoop", directory.toString(),
                "auditLog", cluster.auditLog().toString(),
                "journal", directory.resolve("journal").toString()));
    return Files.writeString(directory.resolve("thermocline.yaml"), text);
  }

  /** What the NameNode must know of the service's user: a superuser by group, as on a real cluster, who may ask for others. */
  public static Path rights(Path file, String user) throws IOException {
    site(
        file,
        Map.of(
            CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
            user + "=" + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT + ";dr.who=",
            "hadoop.proxyuser." + user + ".hosts",
            "*",
            "hadoop.proxyuser." + user + ".users",
            "*"));
    return file;
  }

  private static void site(Path file, Map<String, String> properties) throws IOException {
    Configuration site = new Configuration(false);
    properties.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
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
