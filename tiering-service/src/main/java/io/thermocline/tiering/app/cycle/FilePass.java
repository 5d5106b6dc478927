// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.Selection;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.Survey;
import io.thermocline.tiering.heat.HeatDistribution;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One pass over all managed files for one plan. Where they are few and it is known where they lie, all are kept;
 * else those that a plan can be about, and what has to be known of the others. One thread.
 */
public final class FilePass implements Selection {

  private final Limits limits;
  private final Known known;
  private final Survey<FileView> survey;
  private final Passing passing = new Passing();
  private final List<FileView> current = new ArrayList<>();
  private final List<FileView> ruled = new ArrayList<>();
  private final Map<Cap, Long> taken = new HashMap<>();

  /** Null once there are too many, or one has no places. */
  private List<FileView> all = new ArrayList<>();

  private final DirectoryTotals directories = new DirectoryTotals();
  private int managed;
  private int leftAlone;

  /**
   * @param mostKept of all files; of more, only candidates
   * @param candidates kept of each type, hottest and as many coldest
   * @param coldest of which types the coldest may have to leave
   * @param caps whose bytes are counted
   */
  public record Limits(int mostKept, int candidates, Set<StorageType> coldest, List<Cap> caps) {}

  /**
   * What is known of a file as it passes.
   *
   * @param isOurs whether it may be moved
   * @param policyName of the storage policy that decisions go by
   * @param policySet name of the policy that it has
   * @param key a well-mixed hash of its path
   * @param hot how hot it is, and what was learned of it
   * @param ours is told each that may be moved
   * @param isUp whether an action is up for it: what was cached or replicated comes down when it is cold
   * @param mustMove whether a rule has it elsewhere than its fastest copy is
   */
  public record Known(
      Predicate<FileView> isOurs,
      Function<FileView, String> policyName,
      Function<FileView, String> policySet,
      Function<FileView, Long> key,
      Function<FileView, HotFile> hot,
      Consumer<FileView> ours,
      Predicate<String> isUp,
      BiPredicate<HotFile, StorageType> mustMove) {}

  public FilePass(Limits limits, Known known) {
    this.limits = limits;
    this.known = known;
    this.survey = new Survey<>(limits.candidates());
  }

  @Override
  public void pass(FileView file) {
    boolean isOurs = known.isOurs().test(file);
    if (isOurs) {
      managed++;
      known.ours().accept(file);
    } else {
      leftAlone++;
    }
    if (all == null) {
      if (isOurs) {
        survey(file);
      }
      return;
    }
    all.add(file);
    boolean isPlaced = file.length() == 0 || !file.blocks().isEmpty();
    if (!isPlaced || all.size() > limits.mostKept()) {
      List<FileView> kept = all;
      all = null;
      kept.stream().filter(known.isOurs()).forEach(this::survey);
    }
  }

  private void survey(FileView file) {
    HotFile hot = known.hot().apply(file);
    passing.file = file;
    passing.lead = Survey.lead(file, known.policyName().apply(file));
    survey.add(passing, hot.diskSeconds(), hot.rank() * file.length());
    directories.add(file, hot.blockReads(), Survey.lead(file, known.policySet().apply(file)));
    if (known.isUp().test(file.path())) {
      current.add(file);
    }
    // Those that are left out are found when these have moved.
    if (ruled.size() < limits.candidates() && known.mustMove().test(hot, passing.lead)) {
      ruled.add(file);
    }
    for (Cap cap : limits.caps()) {
      if (cap.taken() == Cap.COUNTED && cap.type() == passing.lead && cap.scope().covers(file)) {
        taken.merge(cap, file.length(), Long::sum);
      }
    }
  }

  private final class Passing implements Survey.Passing<FileView> {
    private FileView file;
    private StorageType lead;

    @Override
    public long key() {
      return known.key().apply(file);
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public StorageType lead() {
      return lead;
    }

    @Override
    public FileView kept() {
      return file;
    }
  }

  @Override
  public List<FileView> selected() {
    return all != null
        ? all
        : Stream.of(survey.candidates(limits.coldest()::contains), current, ruled)
            .flatMap(List::stream)
            .distinct()
            .toList();
  }

  @Override
  public boolean isAll() {
    return all != null;
  }

  /** What lies where, of all that may be moved; empty where all are kept. */
  Optional<DirectoryTotals> directories() {
    return all != null ? Optional.empty() : Optional.of(directories);
  }

  /** How many passed that may be moved. */
  public int managed() {
    return managed;
  }

  /** How many passed that may not. */
  int leftAlone() {
    return leftAlone;
  }

  /**
   * How much of all data is how hot.
   *
   * @param files that were selected
   */
  public HeatDistribution distribution(List<HotFile> files) {
    return all != null ? LearnedThresholds.distribution(files) : survey.distribution();
  }

  /** Bytes of all data on each fast type. What isn't selected counts as on SSD, where its policy says no more. */
  public Map<StorageType, Long> onFastTypes(List<HotFile> files) {
    Map<StorageType, Long> bytes = LearnedThresholds.bytes(files);
    if (all == null) {
      long led = survey.bytesLedBy(StorageType.SSD) + survey.bytesLedBy(StorageType.NVDIMM);
      long seen =
          bytes.getOrDefault(StorageType.SSD, 0L) + bytes.getOrDefault(StorageType.NVDIMM, 0L);
      bytes.merge(StorageType.SSD, Math.max(0, led - seen), Long::sum);
    }
    return bytes;
  }

  /** The caps, with what all data takes of each where only some of it was selected. */
  List<Cap> caps(List<HotFile> files) {
    return all != null
        ? limits.caps()
        : limits.caps().stream().map(cap -> counted(cap, files)).toList();
  }

  /** Whose file it is isn't known of all that pass, nor are second copies: of the selected ones both are. */
  private Cap counted(Cap cap, List<HotFile> files) {
    if (cap.taken() != Cap.COUNTED) {
      return cap;
    }
    List<HotFile> covered = files.stream().filter(hot -> cap.scope().covers(hot.file())).toList();
    long seen = LearnedThresholds.bytes(covered).getOrDefault(cap.type(), 0L);
    return new Cap(
        cap.scope(), cap.type(), cap.most(), Math.max(seen, taken.getOrDefault(cap, 0L)));
  }
}
