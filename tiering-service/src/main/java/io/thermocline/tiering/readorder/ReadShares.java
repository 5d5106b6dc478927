// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Which share of a file's reads each storage type serves, by the NameNodes' order and where readers are.
 * An estimate. Immutable.
 *
 * @param racks by DataNode
 */
public record ReadShares(ReadOrder order, Readers readers, Map<String, String> racks) {

  /** Of a file with more blocks, so many of them stand for all. */
  private static final int MOST_BLOCKS = 16;

  /** Where further copies may come, so many possibilities stand for all. */
  private static final int CHOICES = 8;

  public ReadShares {
    racks = Map.copyOf(racks);
  }

  /** Every read is served by the fastest copy, as with {@link ReadOrder#FASTEST}. */
  public static ReadShares fastest() {
    return new ReadShares(
        ReadOrder.FASTEST,
        new Readers(Map.of(), Map.of(Readers.DEFAULT_RACK, 1.0), true),
        Map.of());
  }

  /** As the file lies; the sum is 1. DISK where no replica is known. */
  public Map<StorageType, Double> of(FileView file) {
    return of(file, FileView.Block::types);
  }

  /** The share of a block's reads that one of its replicas would serve, were it on another type. */
  public double served(FileView.Replica replica, StorageType to, List<FileView.Replica> all) {
    return served(replica, replica.node(), to, all);
  }

  /** The same, were it also on another DataNode. */
  public double served(
      FileView.Replica replica, String node, StorageType to, List<FileView.Replica> all) {
    int moved = all.indexOf(replica);
    List<ReadOrder.Replica> placed = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      placed.add(i == moved ? placed(node, to) : placed(all.get(i).node(), all.get(i).type()));
    }
    return order.shares(placed, readers)[moved];
  }

  /**
   * What speaks for it that of copies on one type this one goes to another: to a faster one the share of the block's
   * reads that it then serves, to a slower one, negative, the share that it serves now. In [-1, 1].
   *
   * @param node where it goes
   */
  public double gainOfMove(
      FileView.Replica replica, String node, StorageType to, List<FileView.Replica> all) {
    return to.compareTo(replica.type()) > 0
        ? served(replica, node, to, all)
        : -served(replica, replica.type(), all);
  }

  private ReadOrder.Replica placed(String node, StorageType type) {
    return new ReadOrder.Replica(node, racks.getOrDefault(node, Readers.DEFAULT_RACK), type);
  }

  /** The share that SSD or a faster type serves, as the file lies. */
  public double fast(FileView file) {
    return fast(of(file));
  }

  /** The share that a fast type would serve, were of each block the copy there that serves the most reads, and no other. */
  public double fastWithOneCopy(FileView file) {
    return file.isErasureCoded() || order == ReadOrder.FASTEST
        ? 1
        : ofBlocks(
            file,
            nodes -> {
              double most = 0;
              for (int fast = 0; fast < nodes.size(); fast++) {
                List<ReadOrder.Replica> replicas = new ArrayList<>();
                for (String node : nodes) {
                  replicas.add(
                      placed(node, replicas.size() == fast ? StorageType.SSD : StorageType.DISK));
                }
                most = Math.max(most, order.shares(replicas, readers)[fast]);
              }
              return most;
            });
  }

  /**
   * The share of a file's reads that its busiest copies serve, one of each block, where all copies are equally fast.
   *
   * @param more copies of each block on other DataNodes, which HDFS chooses
   */
  public double busiest(FileView file, int more) {
    List<String> all = racks.keySet().stream().sorted().toList();
    return ofBlocks(
        file,
        nodes -> {
          List<String> others = all.stream().filter(node -> !nodes.contains(node)).toList();
          int tries = more == 0 ? 1 : Math.max(1, Math.min(CHOICES, others.size()));
          double sum = 0;
          for (int choice = 0; choice < tries; choice++) {
            List<ReadOrder.Replica> replicas = new ArrayList<>();
            nodes.forEach(node -> replicas.add(placed(node, StorageType.DISK)));
            int begin = choice * others.size() / tries;
            for (int i = 0; i < more; i++) {
              String node =
                  i < others.size()
                      ? others.get((begin + i * others.size() / more) % others.size())
                      : "another " + i;
              replicas.add(placed(node, StorageType.DISK));
            }
            sum += Arrays.stream(order.shares(replicas, readers)).max().orElse(0);
          }
          return sum / tries;
        });
  }

  /** The mean over blocks of a share that depends on the DataNodes of a block; 1 where no replica is known. */
  private static double ofBlocks(FileView file, ToDoubleFunction<List<String>> share) {
    double sum = 0;
    double bytes = 0;
    int step = Math.max(1, file.blocks().size() / MOST_BLOCKS);
    for (int at = 0; at < file.blocks().size(); at += step) {
      FileView.Block block = file.blocks().get(at);
      if (!block.replicas().isEmpty()) {
        sum +=
            block.length()
                * share.applyAsDouble(
                    block.replicas().stream().map(FileView.Replica::node).toList());
        bytes += block.length();
      }
    }
    return bytes == 0 ? 1 : sum / bytes;
  }

  private static double fast(Map<StorageType, Double> shares) {
    return shares.entrySet().stream()
        .filter(each -> each.getKey().isFast())
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** As it will lie when each block's copies are on other types of the same DataNodes. */
  public Map<StorageType, Double> of(
      FileView file, Function<FileView.Block, List<StorageType>> types) {
    Map<StorageType, Double> shares = by(ReadOrder.Replica::type, file, types);
    return shares.isEmpty() ? Map.of(StorageType.DISK, 1.0) : shares;
  }

  /** A DataNode, and the type of a storage there. */
  public record Place(String node, StorageType type) {}

  /** The share that each place serves, as the file lies; the sum is 1, or there is none where no replica is known. */
  public Map<Place, Double> byPlace(FileView file) {
    return by(replica -> new Place(replica.node(), replica.type()), file, FileView.Block::types);
  }

  private <K> Map<K, Double> by(
      Function<ReadOrder.Replica, K> key,
      FileView file,
      Function<FileView.Block, List<StorageType>> types) {
    Map<K, Double> shares = new LinkedHashMap<>();
    double bytes = 0;
    int step = Math.max(1, file.blocks().size() / MOST_BLOCKS);
    for (int at = 0; at < file.blocks().size(); at += step) {
      FileView.Block block = file.blocks().get(at);
      if (file.isErasureCoded() && block.id() - block.group() >= file.coding().data()) {
        // Parity is read in place of what is lost.
        continue;
      }
      List<ReadOrder.Replica> replicas = new ArrayList<>();
      List<StorageType> lies = types.apply(block);
      for (int i = 0; i < block.replicas().size(); i++) {
        replicas.add(placed(block.replicas().get(i).node(), lies.get(i)));
      }
      if (!replicas.isEmpty() && block.length() > 0) {
        bytes += block.length();
        double[] served = order.shares(replicas, readers);
        for (int i = 0; i < served.length; i++) {
          shares.merge(key.apply(replicas.get(i)), served[i] * block.length(), Double::sum);
        }
      }
    }
    double all = bytes;
    shares.replaceAll((each, share) -> share / all);
    shares.values().removeIf(share -> share == 0);
    return shares;
  }
}
