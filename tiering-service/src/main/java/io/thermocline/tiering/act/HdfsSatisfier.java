// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;

/**
 * On the NameNode's calls. The satisfier itself is a process of Hadoop's, which must run
 * somewhere. Thread-safe.
 */
public final class HdfsSatisfier implements SatisfierCalls {

  private final DFSClient client;
  private final HdfsReader reader;
  private final OperationBudget budget;
  private final PolicyMarks marks;

  /**
   * @param clock for marks on what has a policy of ours
   */
  public HdfsSatisfier(DFSClient client, InstantSource clock, OperationBudget budget) {
    this.marks = new PolicyMarks(client, clock, budget);
    this.client = client;
    this.reader = new HdfsReader(client, budget::take);
    this.budget = budget;
  }

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    budget.take();
    client.setStoragePolicy(path, policy);
    marks.set(path, policy);
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
    return reader.types(policy, replication);
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
