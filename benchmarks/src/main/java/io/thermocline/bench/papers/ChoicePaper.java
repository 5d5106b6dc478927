// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.PublishedPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * CHOICE: what its evaluation published, beside the same from our implementation of its candidates and
 * policies, in models whose inputs are the paper's. Where the paper doesn't give the inputs, it says so.
 */
final class ChoicePaper implements PaperSection {
  private static final long SEED = 1;
  private static final int DISKS = 100;
  private static final int BLOCKS = 1_000_000;
  private static final int GROUPS = 1_536;

  /** The fill level hangs on the groups, hardly on the size of a disk: for what is run many times. */
  private static final int FEWER_BLOCKS = 20_000;

  private static final double PUBLISHED_ONE = 73;
  private static final double PUBLISHED_TWO = 96;

  /** Production cluster: what the paper says of one rack, in GB/s. */
  private static final double RACK_DISKS = 6;

  private static final double RACK_UPLINK = 5;

  @Override
  public String title() {
    return "CHOICE (Li, Xu; APSys 2016)";
  }

  @Override
  public void run(PaperReport report) {
    report.field("choice_seed", SEED);
    space(report);
    groups(report);
    locality(report);
    memory(report);
    probing(report);
    controls(report);
  }

  private static void space(PaperReport report) {
    DiskFilling disks = new DiskFilling(DISKS, BLOCKS);
    DiskFilling tenth = new DiskFilling(DISKS, BLOCKS / 10);
    double one = disks.percentUsed(disks.byGroups(GROUPS, SEED), 1, SEED);
    double two = disks.percentUsed(disks.byGroups(GROUPS, SEED), 2, SEED);
    double three = tenth.percentUsed(tenth.byGroups(GROUPS, SEED), 3, SEED);
    double four = tenth.percentUsed(tenth.byGroups(GROUPS, SEED), 4, SEED);
    double perBlock = disks.percentUsed(disks.byBlock(SEED), 1, SEED);
    double perBlockTwo = tenth.percentUsed(tenth.byBlock(SEED), 2, SEED);
    report.table(
        "Space used when the first of 100 disks is full, 3 replicas, policy space",
        List.of("placement", "candidates", "blocks a disk", "published %", "reproduced %"),
        List.of(
            row("1,536 groups", 1, BLOCKS, "73", one),
            row("1,536 groups", 2, BLOCKS, "96", two),
            row("1,536 groups", 3, BLOCKS / 10, "", three),
            row("1,536 groups", 4, BLOCKS / 10, "", four),
            row("each block by itself", 1, BLOCKS, "", perBlock),
            row("each block by itself", 2, BLOCKS / 10, "", perBlockTwo)));
    report.field("choice_space_k1_pct", rounded(one));
    report.field("choice_space_k2_pct", rounded(two));
    report.field("choice_space_k3_pct", rounded(three));
    report.field("choice_space_k4_pct", rounded(four));
    report.field("choice_space_per_block_k1_pct", rounded(perBlock));
    report.field("choice_space_per_block_k2_pct", rounded(perBlockTwo));
    report.field("choice_space_gain_pct", rounded(100 * (two / one - 1)));
    report.field("choice_space_k1_published_pct", PUBLISHED_ONE);
    report.field("choice_space_k2_published_pct", PUBLISHED_TWO);
    report.field("choice_space_gain_published_pct", 31.5);
    report.note(
        "The paper gives the disks and the blocks, not the number of placement groups. The groups"
            + " make the 73 %: a disk with more of them fills first. HDFS has no groups; placed"
            + " each by itself, blocks of one size fill the disks without a choice.");
  }

  private static void groups(PaperReport report) {
    DiskFilling disks = new DiskFilling(DISKS, FEWER_BLOCKS);
    List<List<String>> rows = new ArrayList<>();
    for (int groups : new int[] {256, 512, 1_024, GROUPS, 2_048, 4_096, 16_384, 65_536}) {
      int seeds = groups == GROUPS ? 20 : 5;
      double[] means = new double[2];
      double least = 100;
      double most = 0;
      for (int seed = 1; seed <= seeds; seed++) {
        for (int choices = 1; choices <= 2; choices++) {
          double used = disks.percentUsed(disks.byGroups(groups, seed), choices, seed);
          means[choices - 1] += used / seeds;
          if (choices == 1) {
            least = Math.min(least, used);
            most = Math.max(most, used);
          }
        }
      }
      rows.add(
          List.of(
              String.format(Locale.ROOT, "%,d", groups),
              Integer.toString(seeds),
              text(means[0]),
              text(least) + " to " + text(most),
              text(means[1])));
      if (groups == GROUPS) {
        report.field("choice_space_k1_mean_pct", rounded(means[0]));
        report.field("choice_space_k2_mean_pct", rounded(means[1]));
      }
    }
    report.table(
        "The same by number of groups, disks of 20,000 blocks: why 1,536",
        List.of("groups", "seeds", "one candidate %", "from seed to seed", "two candidates %"),
        rows);
    report.note(
        "The paper doesn't give the number of groups. 1,536 give its 73 % on average, about 46 on a"
            + " disk; from seed to seed the fill level wavers by more than the next number of groups"
            + " changes it.");
  }

  private static void locality(PaperReport report) {
    FirstReplicaShare racks = new FirstReplicaShare(60, SEED);
    List<List<String>> rows = new ArrayList<>();
    double[] total = new double[4];
    for (int choices = 1; choices <= 3; choices++) {
      double local =
          racks.of(
              PublishedPolicy.LOCAL,
              choices,
              racks.fromDomainZero(),
              node -> racks.domainOf(node) == 0);
      total[choices] = Math.min(RACK_DISKS / local, RACK_UPLINK / (1 - local));
      rows.add(
          List.of(
              Integer.toString(choices),
              text(100 * local),
              text(100 * (1 - Math.pow(2.0 / 3, choices))),
              text(total[choices]),
              text(100 * (total[choices] / total[1] - 1))));
      report.field("choice_local_share_k" + choices + "_pct", rounded(100 * local));
    }
    report.table(
        "Policy local in production: clients on one of three racks, 6 GB/s of disks in it, 5 GB/s"
            + " from the others",
        List.of("candidates", "local %", "expected %", "most GB/s", "gain %"),
        rows);
    double ceiling = RACK_DISKS + RACK_UPLINK;
    report.field("choice_local_production_k2_gain_pct", rounded(100 * (total[2] / total[1] - 1)));
    report.field("choice_local_production_published_pct", 62.6);
    report.field("choice_local_published_pct", 22.9);
    report.note(
        String.format(
            Locale.ROOT,
            "Published: 7,963 to 12,947 MB/s, +62.6 %%. It can't be reproduced from the published"
                + " inputs: 6 GB/s of local disks and 5 GB/s from other racks are at most %.1f"
                + " GB/s. With one candidate the model gives %.1f GB/s. With three, a strict preference"
                + " makes the local disks the bottleneck.",
            ceiling,
            total[1]));
    report.note(
        "Test cluster, local: +22.9 % by table 2 (the text says 23.1 %), latency -25 %. How long a"
            + " local and a remote read take isn't published, so the throughput can't be"
            + " computed; the shares above can, and "
            + implied(44.23, 33.06, 2)
            + ". By Little's law (threads x 4 MiB / latency) table 2 had 16 threads and table 3 had"
            + " 8: their captions are interchanged.");
  }

  private static void memory(PaperReport report) {
    FirstReplicaShare servers = new FirstReplicaShare(15, SEED);
    for (int choices = 1; choices <= 3; choices++) {
      double free =
          servers.of(
              PublishedPolicy.MEMORY,
              choices,
              servers.memoryOfTwoOccupied(),
              node -> servers.domainOf(node) == 2);
      report.field("choice_memory_share_k" + choices + "_pct", rounded(100 * free));
    }
    report.field("choice_memory_published_pct", 80.4);
    report.note(
        "Policy memory: +80.4 % by table 3. It can't be reproduced from the published inputs: 48 of"
            + " 128 GB taken on two of three servers leave 80 GB to cache at most 48 GB of data, so"
            + " nothing would be read from disk. What is computed is the share of first replicas on"
            + " the free server (fields choice_memory_share_*). With the published latencies, "
            + implied(41.46, 23.26, 2)
            + ", and "
            + implied(41.46, 23.26, 3)
            + ": so the number of candidates, which isn't given, was at least three, or reading got"
            + " faster by more than by its place.");
  }

  /**
   * Times of a read at the wanted place and elsewhere that give two published means, if they don't
   * depend on load: a third of the first replicas is there by hash, more by choice.
   */
  private static String implied(double before, double after, int choices) {
    double elsewhere = 2.0 / 3;
    double chosen = Math.pow(elsewhere, choices);
    double difference = (before - after) / (elsewhere - chosen);
    double there = before - elsewhere * difference;
    return String.format(
        Locale.ROOT,
        "%d candidates would need reads of %.1f ms at the wanted place and %.1f ms elsewhere",
        choices,
        there,
        there + difference);
  }

  private static void probing(PaperReport report) {
    double small = 41.90 - 39.19;
    double large = 102.39 - 99.69;
    report.field("choice_probe_4k_published_pct", rounded(100 * small / 39.19));
    report.field("choice_probe_4m_published_pct", rounded(100 * large / 99.69));
    report.note(
        String.format(
            Locale.ROOT,
            "Probing: +6.9 %% (4 KB) and +2.7 %% (4 MB) by table 6 are both one round trip, of %.2f"
                + " and %.2f ms. Not simulated: the round trip isn't published by itself, so it"
                + " would be its own result. HDFS needs no probe: the NameNode knows where a block"
                + " is.",
            small,
            large));
  }

  private static void controls(PaperReport report) {
    List<List<String>> rows = new ArrayList<>();
    ChoiceControls asked = new ChoiceControls(0, SEED);
    ChoiceControls heartbeats = new ChoiceControls(3, SEED);
    String[] published = {"no number", "-1.4", "-1.4"};
    PublishedPolicy[] policies = {
      PublishedPolicy.CPU, PublishedPolicy.LATENCY, PublishedPolicy.JOURNAL
    };
    for (int i = 0; i < policies.length; i++) {
      ChoiceControls.Effects fresh = asked.effects(policies[i]);
      ChoiceControls.Effects old = heartbeats.effects(policies[i]);
      String name = policies[i].policyName();
      rows.add(
          List.of(
              name,
              published[i],
              fresh.later().toString(),
              fresh.placing().toString(),
              fresh.latencyOfPlacing().toString(),
              old.later().toString(),
              old.placing().toString()));
      report.field("choice_" + name + "_effect_pct", rounded(fresh.later().mean()));
      report.field("choice_" + name + "_effect_3s_pct", rounded(old.later().mean()));
      report.field("choice_" + name + "_placing_effect_pct", rounded(fresh.placing().mean()));
      report.field("choice_" + name + "_placing_effect_3s_pct", rounded(old.placing().mean()));
    }
    report.field("choice_latency_effect_published_pct", rounded(100 * (396.1 / 401.7 - 1)));
    report.field("choice_journal_effect_published_pct", rounded(100 * (396.2 / 401.7 - 1)));
    report.table(
        "Negative controls, two candidates: change of write throughput in % of one candidate",
        List.of(
            "policy",
            "published",
            "later writes",
            "placing writes",
            "their latency",
            "later, reports every 3 s",
            "placing, reports every 3 s"),
        rows);
    WriteLoop.Outcome base = ChoiceControls.baseline(SEED);
    report.field("choice_baseline_mb_s", rounded(base.mbPerSecond()));
    report.field("choice_baseline_published_mb_s", 401.7);
    report.note(
        String.format(
            Locale.ROOT,
            "The model: 3 servers of 15 disks, 80 writers of 4 MB blocks, a replica on each server,"
                + " a queue a disk, 100 MB/s halved by the journal (the paper's); service times"
                + " lognormal, spread so that one candidate gives the published 401.7 MB/s (here"
                + " %.0f MB/s, %.0f ms; published 723 ms); a journal flushed every 5 s; processors"
                + " 97 %% busy on two servers, which no write feels; 12 seeds, 95 %% intervals.",
            base.mbPerSecond(),
            base.latencyMillis()));
    report.note(
        "A later write goes to a block placed before, which is what placement decides about: there"
            + " the policies are within 2 %, as published. The write that places a block is"
            + " another matter: it can feel the load that the policy saw. If the paper's writes"
            + " created their blocks (it doesn't say), its -1.4 % (in latency +5.8 % and +0.5 %) is not what the model gives. And"
            + " where reports are as old as a heartbeat, all three cost throughput: everybody"
            + " goes to the disk that was idle.");
  }

  private static List<String> row(
      String placement, int choices, int blocks, String published, double ours) {
    return List.of(
        placement,
        Integer.toString(choices),
        String.format(Locale.ROOT, "%,d", blocks),
        published,
        text(ours));
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }
}
