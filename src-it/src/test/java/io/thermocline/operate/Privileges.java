// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;

/**
 * Rows of docs/reference/rights.md: what is done with a privilege is
 * refused to who is as good a user, but for it.
 */
final class Privileges {

  private static final Path DIRECTORY = new Path("/privileges");
  private static final Path FILE = new Path(DIRECTORY, "file");

  /** Anybody may write it. */
  private static final Path SHARED = new Path(DIRECTORY, "shared");

  private final SecureSetting setting;
  private final Configuration conf;

  /** Something that is done in HDFS. */
  private interface Act {
    void in(DistributedFileSystem hdfs) throws IOException;
  }

  Privileges(SecureSetting setting) throws IOException {
    this.setting = setting;
    this.conf = setting.cluster().configuration();
    DistributedFileSystem hdfs = setting.cluster().client();
    hdfs.mkdirs(DIRECTORY);
    hdfs.create(FILE).close();
    hdfs.create(SHARED).close();
    mode(DIRECTORY, 0755);
    mode(FILE, 0644);
    mode(SHARED, 0666);
    hdfs.mkdirs(new Path("/system"));
  }

  private void mode(Path path, int mode) throws IOException {
    setting.cluster().client().setPermission(path, new FsPermission((short) mode));
  }

  /** Root is in the superusers' group; the service's user, beside a mover, isn't. */
  void ofTheSuperuser() throws Exception {
    needed(
        "root",
        "thermocline",
        hdfs -> hdfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE));
    needed("root", "thermocline", hdfs -> hdfs.getDataNodeStats());
    needed(
        "root",
        "thermocline",
        hdfs ->
            NameNodeProxies.createProxy(conf, hdfs.getUri(), NamenodeProtocol.class)
                .getProxy()
                .getBlockKeys());
    needed("root", "thermocline", hdfs -> hdfs.setStoragePolicy(FILE, "ONE_SSD"));
    needed("root", "thermocline", hdfs -> hdfs.setReplication(FILE, (short) 2));
    // The right to write is all that HDFS asks for.
    setting.as("thermocline", done(hdfs -> hdfs.setStoragePolicy(SHARED, "ONE_SSD")));
    setting.as("thermocline", done(hdfs -> hdfs.setReplication(SHARED, (short) 2)));
    needed("root", "thermocline", hdfs -> hdfs.addCachePool(new CachePoolInfo("privileges")));
    needed("root", "thermocline", hdfs -> hdfs.create(new Path("/system/privileges")).close());
  }

  /** Of the service beside a mover: who neither owns them nor may by mode is refused. */
  void ofOwnersAndReaders() throws Exception {
    needed("thermocline", "eve", hdfs -> hdfs.create(new Path("/thermocline/privileges")).close());
    DistributedFileSystem superuser = setting.cluster().client();
    superuser.setOwner(FILE, "thermocline", null);
    superuser.setOwner(DIRECTORY, "thermocline", null);
    mode(FILE, 0600);
    needed("thermocline", "eve", hdfs -> hdfs.getXAttrs(FILE));
    mode(FILE, 0604);
    setting.as("eve", done(hdfs -> hdfs.getXAttrs(FILE)));
    mode(DIRECTORY, 0700);
    needed("thermocline", "eve", hdfs -> hdfs.listStatus(DIRECTORY));
  }

  /** {@code hadoop.proxyuser} names the service's user. */
  void ofWhoActsForOthers() throws Exception {
    asAlice("thermocline");
    refused("eve, for alice", () -> asAlice("eve"));
  }

  private void asAlice(String user) throws Exception {
    UserGroupInformation alice = UserGroupInformation.createProxyUser("alice", setting.user(user));
    alice.doAs(done(hdfs -> hdfs.listStatus(new Path("/"))));
  }

  /** {@code dfs.cluster.administrators} names the service's user; counters need a ticket. */
  void ofTheNameNodesPages() throws Exception {
    String web =
        "https://" + conf.get("dfs.namenode.https-address").replaceAll(".*:", "localhost:");
    for (String page : List.of("/imagetransfer?getimage=1&txid=latest", "/logLevel?log=none")) {
      assertEquals(200, status(setting.user("thermocline"), web + page), page);
      assertEquals(403, status(setting.user("eve"), web + page), page);
    }
    assertEquals(200, status(setting.user("eve"), web + "/jmx"));
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("thermocline");
    assertThrows(Exception.class, () -> status(nobody, web + "/jmx"), "without a ticket");
  }

  private static int status(UserGroupInformation user, String page) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<Integer>)
            () -> {
              HttpURLConnection connection =
                  new AuthenticatedURL(new KerberosAuthenticator())
                      .openConnection(new URL(page), new AuthenticatedURL.Token());
              try {
                return connection.getResponseCode();
              } finally {
                connection.disconnect();
              }
            });
  }

  private void needed(String with, String without, Act act) throws Exception {
    refused(without, () -> setting.as(without, done(act)));
    setting.as(with, done(act));
  }

  private PrivilegedExceptionAction<Void> done(Act act) {
    return () -> {
      try (FileSystem hdfs = FileSystem.newInstance(setting.cluster().uri(), conf)) {
        act.in((DistributedFileSystem) hdfs);
      }
      return null;
    };
  }

  /** By HDFS, for want of rights: not for another reason. */
  private static void refused(String who, org.junit.jupiter.api.function.Executable act) {
    Exception refused = assertThrows(Exception.class, act, who);
    String words =
        String.valueOf(refused.getCause() == null ? refused : refused + " " + refused.getCause());
    assertTrue(
        words.contains("AccessControlException") || words.contains("AuthorizationException"),
        () -> who + ": " + words);
  }
}
