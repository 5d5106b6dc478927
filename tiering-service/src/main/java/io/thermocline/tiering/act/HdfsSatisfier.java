// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * On the NameNode's calls. The satisfier itself is a process of Hadoop's, which must run
 * somewhere. Thread-safe.
 */
public final class HdfsSatisfier implements SatisfierActions {

  private final DFSClient client;
  private final HdfsReader reader;
  private final OperationBudget budget;

  public HdfsSatisfier(DFSClient client, OperationBudget budget) {
    this.client = client;
    this.reader = new HdfsReader(client, budget::take);
    this.budget = budget;
  }

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    budget.take();
    client.setStoragePolicy(path, policy);
  }

  @Override
  public void satisfy(String path) throws IOException {
    budget.take();
    try {
      client.satisfyStoragePolicy(path);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("queue limit")) {
        throw new BusySatisfierException(e);
      }
      throw e;
    }
  }

  @Override
  public List<StorageType> types(String policy, int replication) throws IOException {
    budget.take();
    for (BlockStoragePolicy each : client.getStoragePolicies()) {
      if (each.getName().equals(policy)) {
        List<StorageType> types = new ArrayList<>();
        each.chooseStorageTypes((short) replication)
            .forEach(type -> types.add(StorageType.valueOf(type.name())));
        return types;
      }
    }
    throw new IOException("HDFS has no storage policy " + policy);
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    return reader.storagePolicy(path, reader.storagePolicies());
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return reader.file(path);
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    return reader.files(paths);
  }
}
