// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;

/**
 * The keys that block tokens are made with. The NameNode draws new ones when it starts, and Hadoop's
 * {@link KeyManager} asks for them every two and a half hours only: it is made for the Balancer, which
 * ends. DataNodes that started since know no other, so that what was refused has them fetched anew.
 * Thread-safe.
 */
final class BlockKeys implements Closeable {

  private final NameNodeConnector connector;
  private final Configuration conf;
  private KeyManager keys;

  BlockKeys(NameNodeConnector connector, Configuration conf) {
    this.connector = connector;
    this.conf = conf;
    this.keys = connector.getKeyManager();
  }

  synchronized KeyManager now() {
    return keys;
  }

  /**
   * Fetches new ones, unless another thread did meanwhile.
   *
   * @param refused the ones that didn't do
   * @throws IOException where the NameNode can't be asked; then the old ones stay
   */
  synchronized void renew(KeyManager refused) throws IOException {
    if (keys != refused) {
      return;
    }
    KeyManager fetched =
        new KeyManager(
            connector.getBlockpoolID(),
            connector.getNNProtocolConnection(),
            connector
                .getDistributedFileSystem()
                .getServerDefaults(new Path("/"))
                .getEncryptDataTransfer(),
            conf);
    fetched.startBlockKeyUpdater();
    keys.close();
    keys = fetched;
  }

  @Override
  public synchronized void close() {
    keys.close();
  }
}
