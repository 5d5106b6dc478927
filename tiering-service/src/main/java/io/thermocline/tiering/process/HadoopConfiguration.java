// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.hints.wire.OneLine;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** Loads the cluster's own Hadoop configuration. */
public final class HadoopConfiguration {

  private HadoopConfiguration() {}

  /**
   * core-site.xml and hdfs-site.xml of the named directory, or of the class path where none is
   * named; logged in, where the cluster wants that.
   *
   * @throws ConfigException where the directory has no core-site.xml, or one that isn't what Hadoop reads
   * @throws IOException where there is no login
   */
  public static Configuration load(ServiceConfig.Hdfs hdfs) throws ConfigException, IOException {
    return load(hdfs.configuration(), "hdfs.configuration", hdfs.kerberos());
  }

  /**
   * The same for a directory that may be null.
   *
   * @param setting where the directory is named, for the message
   */
  public static Configuration load(Path directory, String setting)
      throws ConfigException, IOException {
    return load(directory, setting, null);
  }

  /**
   * The same without a login.
   *
   * @throws ConfigException as the others
   */
  public static Configuration read(Path directory, String setting) throws ConfigException {
    Configuration configuration = new HdfsConfiguration();
    if (directory != null) {
      add(directory, setting, configuration);
    }
    return configuration;
  }

  /**
   * @param keytab null: by the ticket of whoever started this
   */
  public static Configuration load(Path directory, String setting, ServiceConfig.Keytab keytab)
      throws ConfigException, IOException {
    Configuration configuration = read(directory, setting);
    Login.to(configuration, keytab);
    return configuration;
  }

  private static void add(Path directory, String setting, Configuration configuration)
      throws ConfigException {
    if (!Files.isReadable(directory.resolve("core-site.xml"))) {
      throw new ConfigException(
          List.of(
              setting
                  + ": "
                  + directory
                  + " has no core-site.xml that can be read: name the directory of the"
                  + " cluster's Hadoop configuration, often /etc/hadoop/conf"));
    }
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      Path file = directory.resolve(name);
      requireRegular(file, setting);
      configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    }
    Path tls = directory.resolve("ssl-client.xml");
    if (Files.isReadable(tls)) {
      requireRegular(tls, setting);
      // Hadoop looks for it on the class path first, then here.
      configuration.addResource(new org.apache.hadoop.fs.Path(tls.toUri()));
    }
    try {
      // Files are read at the first question.
      configuration.size();
    } catch (RuntimeException e) {
      throw new ConfigException(
          List.of(
              setting
                  + ": "
                  + directory
                  + " has what Hadoop can't read: "
                  + OneLine.of(e.getMessage())
                  + ": copy the directory from a NameNode's host again"));
    }
  }

  /** Hadoop would wait at a FIFO for good, and takes a loop of links for a file that isn't there. */
  private static void requireRegular(Path file, String setting) throws ConfigException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      try {
        RegularFiles.attributes(file);
      } catch (IOException e) {
        throw new ConfigException(List.of(setting + ": " + e.getMessage()));
      }
    }
  }
}
