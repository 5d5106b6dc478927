// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to the HDFS that the configuration names. */
public final class HdfsConnection {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsConnection.class);

  private HdfsConnection() {}

  /**
   * A client of its own of a service's HDFS, logged in, where that is wanted, and which has talked to
   * the NameNode.
   *
   * @throws ConfigException as {@link HadoopConfiguration#load}
   */
  public static DistributedFileSystem open(ServiceConfig.Hdfs hdfs)
      throws ConfigException, IOException {
    return open(hdfs.nameNode(), HadoopConfiguration.load(hdfs));
  }

  /**
   * A client of its own, which has talked to the NameNode.
   *
   * @param nameNode null: fs.defaultFS
   * @throws IOException where that is no HDFS or doesn't answer; how long Hadoop tries is the
   *     administrator's to configure
   */
  public static DistributedFileSystem open(URI nameNode, Configuration hadoop) throws IOException {
    return open(
        nameNode != null ? nameNode : FileSystem.getDefaultUri(hadoop),
        hadoop,
        "hdfs.nameNode, or in fs.defaultFS of the Hadoop configuration that hdfs.configuration"
            + " points to");
  }

  /**
   * The same for one address.
   *
   * @param setting where an HDFS can be named, for the message
   */
  public static DistributedFileSystem open(URI uri, Configuration hadoop, String setting)
      throws IOException {
    FileSystem fileSystem = client(uri, hadoop);
    if (!(fileSystem instanceof DistributedFileSystem hdfs)) {
      fileSystem.close();
      throw new IOException(uri + " is no HDFS: name one in " + setting);
    }
    try {
      LOG.info("connecting to {}", uri);
      hdfs.getServerDefaults(new Path("/"));
      return hdfs;
    } catch (IOException e) {
      hdfs.close();
      throw new IOException(uri + " can't be reached: " + e.getMessage(), e);
    }
  }

  private static FileSystem client(URI uri, Configuration hadoop) throws IOException {
    try {
      return FileSystem.newInstance(uri, hadoop);
    } catch (IllegalArgumentException e) {
      // A host or nameservice that nobody knows.
      throw new IOException(uri + " can't be reached: " + e.getMessage(), e);
    }
  }
}
