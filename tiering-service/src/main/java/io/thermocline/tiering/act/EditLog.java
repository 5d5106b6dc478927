// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.hdfs.server.protocol.RemoteEditLog;
import org.apache.hadoop.hdfs.util.XMLUtils;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * What was set on paths, in the order in which the NameNode did it: the audit log has neither. Rolls the edit log and reads
 * what it held, as a standby NameNode does. Needs the HDFS superuser; on a cluster with Kerberos also
 * {@code dfs.cluster.administrators}. Thread-safe.
 */
final class EditLog {

  private static final int PATIENCE_MILLIS = 20_000;

  /** The one that was rolled, and one before it where that was rolled by somebody else a moment before. */
  private static final int SEGMENTS = 2;

  private static final long MOST_TRANSACTIONS = 2_000_000;

  private final NamenodeProtocol nameNode;
  private final DistributedFileSystem fileSystem;
  private final Configuration conf;

  EditLog(NamenodeProtocol nameNode, DistributedFileSystem fileSystem, Configuration conf) {
    this.nameNode = nameNode;
    this.fileSystem = fileSystem;
    this.conf = conf;
  }

  /**
   * @param policies names by id
   * @return by path, oldest first; since the path stands for what it does now
   * @throws IOException where the NameNode doesn't give it
   */
  Map<String, List<HdfsCalls.LayoutEdit>> of(
      Collection<String> paths, Map<Integer, String> policies) throws IOException {
    nameNode.rollEditLog();
    long last = nameNode.getTransactionID();
    List<RemoteEditLog> all =
        nameNode.getEditLogManifest(Math.max(1, last - MOST_TRANSACTIONS)).getLogs();
    String storage = nameNode.versionRequest().toColonSeparatedString();
    URI web =
        DFSUtil.getInfoServer(
            HAUtil.getAddressOfActive(fileSystem), conf, DFSUtil.getHttpClientScheme(conf));
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(PATIENCE_MILLIS, PATIENCE_MILLIS, conf);
    Reader reader = new Reader(paths, policies);
    try {
      for (RemoteEditLog log : all.subList(Math.max(0, all.size() - SEGMENTS), all.size())) {
        URI page =
            web.resolve(
                "/imagetransfer?getedit=1&startTxId="
                    + log.getStartTxId()
                    + "&endTxId="
                    + log.getEndTxId()
                    + "&storageInfo="
                    + storage);
        try (EditLogInputStream edits =
            EditLogFileInputStream.fromUrl(
                connections, page.toURL(), log.getStartTxId(), log.getEndTxId(), false)) {
          for (FSEditLogOp op = edits.readOp(); op != null; op = edits.readOp()) {
            reader.take(op);
          }
        }
      }
    } finally {
      connections.destroy();
    }
    return reader.found;
  }

  private static final class Reader extends DefaultHandler {
    private final Map<String, String> mangled = new HashMap<>();
    private final Map<Integer, String> policies;
    private final Map<String, List<HdfsCalls.LayoutEdit>> found = new HashMap<>();

    /** Of the operation that is read, the first of each name. */
    private final Map<String, String> fields = new HashMap<>();

    private final StringBuilder text = new StringBuilder();

    Reader(Collection<String> paths, Map<Integer, String> policies) {
      this.policies = policies;
      paths.forEach(path -> mangled.put(XMLUtils.mangleXmlString(path, false), path));
    }

    void take(FSEditLogOp op) throws IOException {
      switch (op.opCode) {
        case OP_SET_STORAGE_POLICY -> {
          read(op);
          add(true, policies.getOrDefault(Integer.parseInt(fields.get("POLICYID")), ""));
        }
        case OP_SET_REPLICATION -> {
          read(op);
          add(false, fields.get("REPLICATION"));
        }
        case OP_ADD, OP_DELETE, OP_RENAME, OP_RENAME_OLD -> {
          read(op);
          // Nothing of what was there before is there now.
          for (String name : List.of("PATH", "SRC", "DST")) {
            if (fields.containsKey(name)) {
              forget(fields.get(name));
            }
          }
        }
        default -> {
          // It is about something else.
        }
      }
    }

    private void read(FSEditLogOp op) throws IOException {
      fields.clear();
      try {
        op.outputToXml(this);
      } catch (SAXException e) {
        throw new IOException("an edit can't be read", e);
      }
    }

    private void add(boolean isPolicy, String value) {
      String path = mangled.get(fields.get("PATH"));
      if (path != null) {
        found
            .computeIfAbsent(path, first -> new ArrayList<>())
            .add(new HdfsCalls.LayoutEdit(isPolicy, value));
      }
    }

    private void forget(String changed) {
      mangled.forEach(
          (name, path) -> {
            if (name.equals(changed) || name.startsWith(changed + "/")) {
              found.remove(path);
            }
          });
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
      text.setLength(0);
    }

    @Override
    public void characters(char[] chars, int start, int length) {
      text.append(chars, start, length);
    }

    @Override
    public void endElement(String uri, String local, String name) {
      fields.putIfAbsent(name, text.toString());
    }
  }
}
