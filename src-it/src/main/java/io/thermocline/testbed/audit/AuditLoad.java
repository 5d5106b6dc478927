// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.util.Locale;

/** Kinds of clients that read a generated namespace. */
public enum AuditLoad {
  /** A task a block, with attempts that fail and speculative ones; small tables are read by each task. */
  MAPREDUCE(Data.WAREHOUSE),
  /** Spark over whole tables of several hundred files of one block, by one job after another. */
  REPORTS(Data.REPORTS),
  /** Hive in one session of Tez: columns of some partitions, several splits a task. */
  TEZ(Data.WAREHOUSE),
  /** Columns of some partitions; the footer by an open of its own; small tables once a job. */
  SPARK(Data.WAREHOUSE),
  /** As MapReduce and Spark, without caller contexts. */
  NO_CONTEXT(Data.WAREHOUSE),
  /** One user on eight workers without caller contexts; several workers share a file. */
  TRINO(Data.WAREHOUSE),
  /** The warehouse copied by a job twice. */
  DISTCP(Data.WAREHOUSE),
  /** Every file of the warehouse once, by one client. */
  BACKUP(Data.WAREHOUSE),
  /** Region servers: few opens; most block reads are of streams that stay open, and no line tells of them. */
  HBASE(Data.HBASE),
  /** Logs that are appended to, and followed. */
  LOG(Data.LOGS),
  /** Training: shuffled passes over data sets, each file by one of several workers. */
  ML(Data.SAMPLES),
  /** Forty users behind the address of one gateway. */
  HTTPFS(Data.HOMES),
  /** One client each, who reads what it wants, some of it again and again. */
  SHELL(Data.HOMES);

  /** Part of the namespace. */
  enum Data {
    WAREHOUSE,
    REPORTS,
    HBASE,
    LOGS,
    SAMPLES,
    HOMES
  }

  final Data data;

  AuditLoad(Data data) {
    this.data = data;
  }

  /** As in names of fields. */
  public String fieldName() {
    return name().toLowerCase(Locale.ROOT).replace("_", "");
  }
}
