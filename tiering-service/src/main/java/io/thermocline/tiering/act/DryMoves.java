// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;

/** Looks as {@link DirectedMoves} does, for a dry run: takes no mutex, and can change nothing. Thread-safe. */
public final class DryMoves implements HdfsCalls {

  private final HdfsReader reader;
  private final PolicyMarks marks;
  private final Map<Integer, String> policyNames;

  public DryMoves(DFSClient client, InstantSource clock, OperationBudget budget)
      throws IOException {
    this.reader = new HdfsReader(client, budget::take);
    this.marks = new PolicyMarks(client, clock, budget);
    this.policyNames = reader.storagePolicies();
  }

  @Override
  public Optional<PolicyMarks.Mark> mark(String path) throws IOException {
    return marks.read(path);
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    return reader.storagePolicy(path, policyNames);
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return reader.file(path);
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    return reader.files(paths);
  }

  @Override
  public void setStoragePolicy(String path, String policy) {
    throw dry();
  }

  @Override
  public void unmark(String path) {
    throw dry();
  }

  @Override
  public void copy(Move move) {
    throw dry();
  }

  @Override
  public String rack(String node) {
    throw dry();
  }

  private static UnsupportedOperationException dry() {
    return new UnsupportedOperationException("a dry run changes nothing");
  }
}
