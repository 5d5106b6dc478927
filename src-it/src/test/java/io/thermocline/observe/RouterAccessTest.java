// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.AccessSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.federation.MockResolver;
import org.apache.hadoop.hdfs.server.federation.RouterConfigBuilder;
import org.apache.hadoop.hdfs.server.federation.resolver.NamenodeStatusReport;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.net.StandardSocketFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accesses through real Routers of a federation, as the NameNode behind them logs them. */
@Tag("cluster")
class RouterAccessTest {

  /** A window that is longer than the test takes. */
  private static final AccessSettings SETTINGS =
      new AccessSettings(
              Duration.ofHours(1),
              0,
              Duration.ofMinutes(10),
              new AccessSettings.Ignored(Set.of("backup"), List.of("distcp"), List.of()))
          .without("tiering", "thermocline");

  @TempDir Path temp;
  private final List<Router> routers = new ArrayList<>();
  private Configuration conf;
  private Configuration clients;

  /** For a client of RPC, and so an id, of its own, whatever else is open in this process. */
  public static final class OwnSockets extends StandardSocketFactory {}

  @Test
  void countsWhatComesThroughRoutersByItsClients() throws Exception {
    try (AuditedNameNodes one = AuditedNameNodes.one(temp)) {
      one.log(0);
      conf = one.configuration();
      clients = new Configuration(conf);
      clients.setClass(
          CommonConfigurationKeys.HADOOP_RPC_SOCKET_FACTORY_CLASS_DEFAULT_KEY,
          OwnSockets.class,
          SocketFactory.class);
      try (FileSystem direct = FileSystem.newInstance(one.cluster().getURI(), clients)) {
        for (String file : List.of("alice", "bob", "backup", "distcp", "tasks", "service")) {
          direct.create(path("/data/" + file)).close();
        }
        for (int i = 0; i < 2; i++) {
          startRouter(one.cluster().getNameNodePort());
        }
        // As long as one connection is open, all belong to one client, as the ids in the lines go.
        // Each call has another number, each Router its own connections.
        read(0, "alice", "/mount/alice", null);
        read(0, "alice", "/mount/alice", null);
        read(1, "alice", "/mount/alice", null);
        read(0, "bob", "/mount/bob", null);
        read(0, "backup", "/mount/backup", null);
        read(0, "alice", "/mount/distcp", "distcp_1");
        read(0, "alice", "/mount/tasks", "task_1");
        read(1, "alice", "/mount/tasks", "task_1");
        read(0, "alice", "/mount/tasks", "task_2");
        read(0, "alice", "/mount/service", "thermocline");
      }
      read(0, "alice", "/mount/alice", null);

      List<String> opens = one.lines(0, "\tcmd=open\t");
      assertEquals(11, opens.size());
      for (String line : opens) {
        assertTrue(line.contains("\tcallerContext=clientIp:127.0.0.1,clientPort:"), line);
      }
      assertEquals(Map.of("/data/alice", 2, "/data/bob", 1, "/data/tasks", 2), one.reads(SETTINGS));
    } finally {
      routers.forEach(Router::stop);
    }
  }

  private void startRouter(int nameNode) throws IOException {
    Configuration own = new RouterConfigBuilder(conf).rpc().build();
    own.setClass(
        RBFConfigKeys.FEDERATION_NAMENODE_RESOLVER_CLIENT_CLASS, MockResolver.class, Object.class);
    own.setClass(
        RBFConfigKeys.FEDERATION_FILE_RESOLVER_CLIENT_CLASS, MockResolver.class, Object.class);
    own.set(RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_KEY, "127.0.0.1:0");
    own.set(RBFConfigKeys.DFS_ROUTER_RPC_BIND_HOST_KEY, "127.0.0.1");
    Router router = new Router();
    routers.add(router);
    router.init(own);
    router.start();
    String address = "127.0.0.1:" + nameNode;
    NamenodeStatusReport report =
        new NamenodeStatusReport("ns", "nn0", address, address, address, "http", "127.0.0.1:1");
    report.setHAServiceState(HAServiceState.ACTIVE);
    ((MockResolver) router.getNamenodeResolver()).registerNamenode(report);
    ((MockResolver) router.getSubclusterResolver()).addLocation("/mount", "ns", "/data");
  }

  private void read(int router, String user, String file, String context) throws Exception {
    URI uri = URI.create("hdfs://127.0.0.1:" + routers.get(router).getRpcServerAddress().getPort());
    CallerContext.setCurrent(context == null ? null : new CallerContext.Builder(context).build());
    try {
      UserGroupInformation.createRemoteUser(user)
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    try (FileSystem client = FileSystem.newInstance(uri, clients);
                        InputStream in = client.open(path(file))) {
                      assertEquals(-1, in.read());
                    }
                    return null;
                  });
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
