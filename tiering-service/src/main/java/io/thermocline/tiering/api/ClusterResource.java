// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** DataNodes, and the buckets of storages with their segments, as of the last plan. */
public final class ClusterResource implements Resource {

  private static final Param TYPE = Param.name("type", "a storage type, like SSD");

  private final Supplier<ClusterView> cluster;
  private final Supplier<Map<StorageType, BucketSegments>> buckets;
  private final Supplier<Map<String, String>> silent;

  /** A DataNode. */
  public record Node(
      @JsonPropertyDescription("address and port") String name,
      @JsonPropertyDescription("its name, with the same port") String host,
      String rack,
      String uuid,
      int storages,
      @JsonPropertyDescription("by storage type") Map<StorageType, Space> space,
      long cacheBytes,
      long cacheUsedBytes,
      @JsonPropertyDescription("whether no copy goes to it or comes from it: act.exclude")
          boolean excluded,
      @JsonPropertyDescription(
              "that it sends no heartbeat, for how long, in words: now, in shadow mode with the last plan; absent where it does")
          Optional<String> silent) {}

  /** Of the storages of one type. */
  public record Space(long usedBytes, long capacityBytes) {}

  /** All storages of one type. */
  public record Bucket(
      StorageType type,
      int storages,
      int segments,
      @JsonPropertyDescription("of the number line, in units of p") int cells,
      long usedBytes,
      long capacityBytes,
      @JsonPropertyDescription("of the segment table: the same one in the NameNode and here")
          String fingerprint) {}

  /** A stretch of the number line that one storage has. */
  public record SegmentOf(
      int start,
      double length,
      String storage,
      @JsonPropertyDescription("host and port; empty where it isn't live") String node) {}

  /**
   * @param cluster one without nodes before the first plan
   * @param silent DataNodes that send no heartbeat now, by UUID, each in words
   */
  public ClusterResource(
      Supplier<ClusterView> cluster,
      Supplier<Map<StorageType, BucketSegments>> buckets,
      Supplier<Map<String, String>> silent) {
    this.silent = silent;
    this.cluster = cluster;
    this.buckets = buckets;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/nodes",
                "DataNodes that were live with the last plan, by name, and which are silent now.")
            .answersPage(
                Node.class,
                request ->
                    Page.of(
                        request,
                        cluster.get().nodes().values().stream()
                            .sorted(Comparator.comparing(ClusterView.Node::name))
                            .toList(),
                        this::node)),
        Route.get("/buckets", "The number line of each storage type.")
            .answersPage(Bucket.class, request -> Page.of(request, buckets(), Function.identity())),
        Route.get("/buckets/{type}/segments", "The segment table of a storage type, in its order.")
            .takes(TYPE)
            .fails(ErrorCode.NO_SUCH_TIER)
            .answersPage(
                SegmentOf.class,
                request -> Page.of(request, segments(request.text(TYPE)), Function.identity())));
  }

  private Node node(ClusterView.Node node) {
    Map<StorageType, Space> space = new EnumMap<>(StorageType.class);
    for (ClusterView.Storage storage : node.storages()) {
      space.merge(
          storage.type(),
          new Space(storage.used(), storage.capacity()),
          (a, b) -> new Space(a.usedBytes + b.usedBytes, a.capacityBytes + b.capacityBytes));
    }
    return new Node(
        node.name(),
        node.host(),
        node.rack(),
        node.uuid(),
        node.storages().size(),
        space,
        node.cacheCapacity(),
        node.cacheUsed(),
        cluster.get().excluded().contains(node.uuid()),
        Optional.ofNullable(silent.get().get(node.uuid())));
  }

  private List<Bucket> buckets() {
    Map<StorageType, ClusterView.Occupancy> occupancy = cluster.get().occupancy();
    List<Bucket> all = new ArrayList<>();
    new TreeMap<>(buckets.get())
        .forEach(
            (type, bucket) -> {
              ClusterView.Occupancy used =
                  occupancy.getOrDefault(type, new ClusterView.Occupancy(0, 0));
              all.add(
                  new Bucket(
                      type,
                      bucket.log().deviceIds().size(),
                      bucket.table().segments().size(),
                      bucket.cells(),
                      used.used(),
                      used.capacity(),
                      Long.toHexString(bucket.log().fingerprint())));
            });
    return all;
  }

  private List<SegmentOf> segments(String name) throws ApiException {
    Map<StorageType, BucketSegments> known = buckets.get();
    BucketSegments bucket =
        known.entrySet().stream()
            .filter(each -> each.getKey().name().equals(name))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow(
                () ->
                    new ApiException(
                        ErrorCode.NO_SUCH_TIER,
                        "there is no storage of type " + name,
                        "type",
                        known.isEmpty()
                            ? "wait for the first plan"
                            : "expected one of " + known.keySet()));
    Map<String, String> nodes = new TreeMap<>();
    for (ClusterView.Node node : cluster.get().nodes().values()) {
      node.storages().forEach(storage -> nodes.put(storage.id(), node.name()));
    }
    return bucket.table().segments().stream()
        .map(
            segment ->
                new SegmentOf(
                    segment.start(),
                    segment.length(),
                    segment.deviceId(),
                    nodes.getOrDefault(segment.deviceId(), "")))
        .toList();
  }
}
