// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * All that a mover can be asked, one line of JSON each. None of it deletes, writes or re-owns data,
 * so none can be made to. Nodes are DataNodes' UUIDs.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "request")
@JsonSubTypes({
  @JsonSubTypes.Type(value = MoverRequest.Storages.class, name = "storages"),
  @JsonSubTypes.Type(value = MoverRequest.Nodes.class, name = "nodes"),
  @JsonSubTypes.Type(value = MoverRequest.Limits.class, name = "limits"),
  @JsonSubTypes.Type(value = MoverRequest.Mark.class, name = "mark"),
  @JsonSubTypes.Type(value = MoverRequest.SetMark.class, name = "setMark"),
  @JsonSubTypes.Type(value = MoverRequest.Release.class, name = "release"),
  @JsonSubTypes.Type(value = MoverRequest.Policy.class, name = "policy"),
  @JsonSubTypes.Type(value = MoverRequest.PlannedPolicy.class, name = "plannedPolicy"),
  @JsonSubTypes.Type(value = MoverRequest.RestoredPolicy.class, name = "restoredPolicy"),
  @JsonSubTypes.Type(value = MoverRequest.LayoutEdits.class, name = "layoutEdits"),
  @JsonSubTypes.Type(value = MoverRequest.Unmark.class, name = "unmark"),
  @JsonSubTypes.Type(value = MoverRequest.PolicyMark.class, name = "policyMark"),
  @JsonSubTypes.Type(value = MoverRequest.ActionMarks.class, name = "leverMarks"),
  @JsonSubTypes.Type(value = MoverRequest.UnmarkReplication.class, name = "unmarkReplication"),
  @JsonSubTypes.Type(value = MoverRequest.Copy.class, name = "copy"),
  @JsonSubTypes.Type(value = MoverRequest.CopyWithPhases.class, name = "copyWithPhases"),
  @JsonSubTypes.Type(value = MoverRequest.Replication.class, name = "replication"),
  @JsonSubTypes.Type(value = MoverRequest.PlannedReplication.class, name = "plannedReplication"),
  @JsonSubTypes.Type(value = MoverRequest.Cache.class, name = "cache"),
  @JsonSubTypes.Type(value = MoverRequest.Uncache.class, name = "uncache")
})
public sealed interface MoverRequest {

  /**
   * What goes over the socket.
   *
   * @param epoch of the service that asks: one that acts later has a higher one
   */
  record Line(long epoch, MoverRequest ask) {
    public Line {
      Objects.requireNonNull(ask, "ask");
    }
  }

  /** What DataNodes have, as DataNodeReport. */
  record Storages() implements MoverRequest {}

  /**
   * How DataNodes are, as DataNodeStates.
   *
   * @param acting whether changes are to follow: then the answer is that they may, or why not
   */
  record Nodes(boolean acting) implements MoverRequest {}

  /** What the mover lets itself be asked, as MoverLimits. */
  record Limits() implements MoverRequest {}

  /** How far the service's journal was marked to be, as JournalMark.Reached; null where it never was. */
  record Mark() implements MoverRequest {}

  /** Marks how far it is. */
  record SetMark(JournalMark.Reached reached) implements MoverRequest {
    public SetMark {
      Objects.requireNonNull(reached, "reached");
    }
  }

  /** No changes follow: another may move from now on. */
  record Release() implements MoverRequest {}

  /** One that changes something, at a path. */
  sealed interface Change extends MoverRequest {
    String path();
  }

  /** What marks the policy of a path as the service's own, as MoverHandler.Marked; null where nothing does. */
  record PolicyMark(String path) implements MoverRequest {
    public PolicyMark {
      Objects.requireNonNull(path, "path");
    }
  }

  /** What marks a file's factor and its copies in memory as the service's own, as ActionCalls.Marks. */
  record ActionMarks(String path) implements MoverRequest {
    public ActionMarks {
      Objects.requireNonNull(path, "path");
    }
  }

  /** The replication factor of a file is somebody else's. */
  record UnmarkReplication(String path) implements Change {
    public UnmarkReplication {
      Objects.requireNonNull(path, "path");
    }
  }

  /** No mark on a path any more: its policy is somebody else's. */
  record Unmark(String path) implements Change {
    public Unmark {
      Objects.requireNonNull(path, "path");
    }
  }

  /** What any user set on paths lately, as MoverHandler.Edits; null where HDFS can't be asked. */
  record LayoutEdits(Set<String> paths) implements MoverRequest {
    public LayoutEdits {
      paths = Set.copyOf(paths);
    }
  }

  /** A storage policy; empty: none of its own, so that it inherits one. */
  sealed interface PolicyChange extends Change {
    String policy();
  }

  /** The policy is marked as the service's own. */
  record Policy(String path, String policy) implements PolicyChange {
    public Policy {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(policy, "policy");
    }
  }

  /** The same, where HDFS shows a file right before as it was planned for. */
  record PlannedPolicy(String path, String policy, Seen planned) implements PolicyChange {
    public PlannedPolicy {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(planned, "planned");
    }
  }

  /**
   * A file as it was planned for.
   *
   * @param policy id of its storage policy
   * @param block id of its first
   * @param length of that block
   */
  record Seen(String path, int policy, int replication, long block, long length) {
    public Seen {
      Objects.requireNonNull(path, "path");
    }

    static Seen of(FileView file) {
      FileView.Block first =
          file.blocks().isEmpty()
              ? new FileView.Block("", 0, 0, 0, List.of())
              : file.blocks().get(0);
      return new Seen(
          file.path(), file.storagePolicy(), file.replication(), first.id(), first.length());
    }

    FileView file() {
      return new FileView(
          path,
          length,
          replication,
          policy,
          block == 0 ? List.of() : List.of(new FileView.Block("", block, 0, length, List.of())));
    }
  }

  /** A policy that was in force before, where HDFS shows right before that the service's own one is. It isn't marked. */
  record RestoredPolicy(String path, String policy, HdfsCalls.Own own) implements PolicyChange {
    public RestoredPolicy {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(policy, "policy");
      Objects.requireNonNull(own, "own");
    }
  }

  /**
   * A replica of the file's block from one DataNode's storage to another's.
   *
   * @param block its id
   */
  record Copy(
      String path,
      long block,
      String source,
      StorageType sourceType,
      String target,
      StorageType targetType)
      implements Change {
    public Copy {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(source, "source");
      Objects.requireNonNull(sourceType, "sourceType");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(targetType, "targetType");
    }

    static Copy of(Move move) {
      return new Copy(
          move.path(),
          move.block().id(),
          move.source().node(),
          move.source().type(),
          move.targetNode(),
          move.targetType());
    }
  }

  /** A copy, with a line for each thing that it waits for before the answer. */
  record CopyWithPhases(Copy copy) implements MoverRequest {
    public CopyWithPhases {
      Objects.requireNonNull(copy, "copy");
    }
  }

  /** How many replicas a file shall have. */
  sealed interface FactorChange extends Change {
    int factor();
  }

  record Replication(String path, int factor) implements FactorChange {
    public Replication {
      Objects.requireNonNull(path, "path");
    }
  }

  /**
   * The same, where HDFS shows right before that it has the factor that it was planned with.
   *
   * @param planned that factor
   */
  record PlannedReplication(String path, int factor, int planned) implements FactorChange {
    public PlannedReplication {
      Objects.requireNonNull(path, "path");
    }
  }

  /** So many copies of the file's blocks in memory; the answer is the directive, as ActionCalls.Directive. */
  record Cache(String path, int copies) implements Change {
    public Cache {
      Objects.requireNonNull(path, "path");
    }
  }

  /** None of them any more by this directive. */
  record Uncache(String path, ActionCalls.Directive directive) implements Change {
    public Uncache {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(directive, "directive");
    }
  }
}
