// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.ConfPage;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** How the NameNodes order replicas for readers, and where readers are. One thread asks. */
public final class ReadOrders {

  /** A NameNode changes its order only with a restart. */
  private static final long ASKED_EVERY_NANOS = 300_000_000_000L;

  /** The hottest ones stand for all. */
  private static final int MOST_FILES = 1_000;

  private final Configuration hadoop;
  private final List<URI> webs;
  private final ReaderTally readers;
  private final LongSupplier nanos;
  private Known known;
  private long askedNanos;

  /**
   * @param note what is uncertain about the order; empty where all NameNodes said the same
   */
  private record Known(ReadOrder order, String note) {}

  /**
   * @param hadoop this host's Hadoop configuration
   * @param nameservice that is managed
   */
  public ReadOrders(
      ServiceConfig config,
      Configuration hadoop,
      String nameservice,
      ReaderTally readers,
      LongSupplier nanos) {
    this(webs(config.observe(), nameservice), hadoop, readers, nanos);
  }

  static List<URI> webs(ServiceConfig.Observe observe, String nameservice) {
    Stream<ServiceConfig.Web> ofLogs =
        observe.auditLogs().stream()
            .filter(log -> log.web() != null)
            .map(log -> new ServiceConfig.Web(log.nameservice(), log.web()));
    Stream<ServiceConfig.Web> ofTopics =
        observe.kafka() == null ? Stream.empty() : observe.kafka().webs().stream();
    return Stream.concat(ofLogs, ofTopics)
        .filter(web -> web.nameservice() == null || web.nameservice().equals(nameservice))
        .map(ServiceConfig.Web::uri)
        .distinct()
        .toList();
  }

  /**
   * @param webs of the NameNodes
   */
  ReadOrders(List<URI> webs, Configuration hadoop, ReaderTally readers, LongSupplier nanos) {
    this.webs = webs;
    this.hadoop = hadoop;
    this.readers = readers;
    this.nanos = nanos;
  }

  /** With these DataNodes. Asks the NameNodes where it last did so some minutes ago. */
  public ReadShares of(ClusterView cluster) {
    long now = nanos.getAsLong();
    if (known == null || now - askedNanos > ASKED_EVERY_NANOS) {
      askedNanos = now;
      known = ask();
    }
    Map<String, Readers.Place> places = new HashMap<>();
    Map<String, String> racks = new HashMap<>();
    for (ClusterView.Node node : cluster.nodes().values()) {
      String address = node.name().substring(0, Math.max(0, node.name().lastIndexOf(':')));
      places.put(node.uuid(), new Readers.Place(address, node.rack()));
      racks.put(node.uuid(), node.rack());
    }
    return new ReadShares(known.order(), Readers.of(places, readers), racks);
  }

  /**
   * What share of a file's reads a copy on a fast type serves, as a line for people.
   *
   * @param files of a plan
   */
  String line(ReadShares shares, List<HotFile> files) {
    double served = 0;
    double all = 0;
    List<HotFile> hottest =
        files.stream()
            .filter(hot -> !hot.file().isErasureCoded() && !hot.file().blocks().isEmpty())
            .sorted(Comparator.comparingDouble(HotFile::heat).reversed())
            .limit(MOST_FILES)
            .toList();
    for (HotFile hot : hottest) {
      double fast = shares.fast(hot.file());
      // Cold files count a little, so that there is a number before anything was read.
      double weight = hot.heat() + 1e-6;
      served += weight * (fast > 0 ? fast : shares.fastWithOneCopy(hot.file()));
      all += weight;
    }
    return shares.order().words()
        + (all == 0
            ? ""
            : String.format(
                Locale.ROOT,
                ": a copy on SSD serves %.0f %% of its file's reads (estimated%s)",
                100 * served / all,
                shares.readers().isAssumed() ? " for readers on all DataNodes" : ""))
        + "."
        + (shares.order() == ReadOrder.FASTEST ? "" : " docs/guides/read-order.md")
        + (known == null || known.note().isEmpty() ? "" : " " + known.note());
  }

  private Known ask() {
    if (ReadOrder.isOfClients(hadoop::get)) {
      return new Known(
          ReadOrder.FASTEST,
          "By the clients' own order: this host's Hadoop configuration has"
              + " thermocline.hints.read.order.");
    }
    Map<ReadOrder, List<String>> orders = new EnumMap<>(ReadOrder.class);
    List<String> silent = new ArrayList<>();
    Set<String> ignored = new TreeSet<>();
    for (URI web : webs) {
      try {
        Map<String, String> conf = ConfPage.read(web, hadoop);
        orders
            .computeIfAbsent(ReadOrder.of(conf::get), order -> new ArrayList<>())
            .add(web.getAuthority());
        ignored.addAll(ReadOrder.ignored(conf::get));
      } catch (IOException e) {
        silent.add(web.getAuthority());
      }
    }
    if (orders.isEmpty()) {
      return new Known(
          ReadOrder.of(hadoop::get),
          webs.isEmpty()
              ? "The read order is assumed from this host's Hadoop configuration:"
                  + " observe.nameNodeWebs (with Kafka observe.kafka.nameNodeWebs) names no NameNode."
              : "The read order is assumed from this host's Hadoop configuration: "
                  + String.join(", ", silent)
                  + " did not answer.");
    }
    // Either may be the active one; the first order reaches the fewest fast copies.
    ReadOrder order = orders.keySet().iterator().next();
    String note =
        orders.size() > 1
            ? "The NameNodes differ in their read order: " + orders + "."
            : silent.isEmpty()
                ? ""
                : "The read order of " + String.join(", ", silent) + " is unknown.";
    if (!ignored.isEmpty()) {
      note =
          (note + " The estimate ignores " + String.join(", ", ignored)).trim()
              + ", which the NameNodes have set.";
    }
    return new Known(order, note);
  }
}
