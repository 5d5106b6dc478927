// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Exact records of the hottest files, as many as fit a bound. One thread changes them; any may look. Times
 * are steps of {@link Decay} or milliseconds since 1970, as the names say.
 */
final class Candidates {

  /*
   * Which files: the hotness table knows every count, so a file gets a record when its count passes the
   * smallest one here by the margin. That is Space-Saving (Metwally, Agrawal and El Abbadi, 2005) with the
   * table's count in place of "the smallest, plus one": what a record inherits is the file's own reads, to
   * within the table's error, and not those of the file it displaced.
   *
   * Order: heat decays by the same factor for all, so scores are kept as if they grew instead (forward
   * decay, Cormode et al., 2009): a read adds 2^(steps / 8). It doesn't move anything: the heap is ordered by
   * scores that may have grown since, and the coldest is found by putting what is on top in order until it is
   * where it belongs. So what is hot isn't moved ever again.
   */

  /** A newcomer must be hotter by this, so that two files of equal heat don't displace each other. */
  private static final double MARGIN = 1.1;

  /** Scores are scaled back long before they overflow: after 250 half-lives. */
  private static final long REBASE_STEPS = 250L * Decay.STEPS_PER_HALF_LIFE;

  /** Stands for none where branches would cost more than looking at it. */
  private static final Candidate NONE = new Candidate(0, 0, "");

  private final long nameservice;
  private final Candidate[] heap;

  /** Of the candidates in the heap, as they were or as they are: never more than that. */
  private final double[] scores;

  private final KeyTable<Candidate> byPath = new KeyTable<>();
  private final CandidateTree tree = new CandidateTree();
  private int size;
  private long step;
  private long base;
  private double scoreOfRead = 1;

  /** How long page caches keep what was read; 0 where they aren't modeled. */
  private final long keptMillis;

  private volatile double heatOfScore = 1;

  /**
   * @param nameservice as from {@link io.thermocline.tiering.observe.PathKey#nameservice}
   * @param pageCache how long page caches keep what was read; 0 where they aren't modeled
   */
  Candidates(long nameservice, int most, Duration pageCache) {
    this.nameservice = nameservice;
    this.keptMillis = pageCache.toMillis();
    this.heap = new Candidate[most];
    this.scores = new double[most];
  }

  /** The record of a path; null where there is none. */
  Candidate find(long pathKey) {
    Candidate found = byPath.get(pathKey);
    // It may be on its way to another path, while others look.
    return found != null && found.pathKey == pathKey ? found : null;
  }

  /**
   * Reads what {@link #find} will ask for these, and their records, so that both are in the cache then.
   *
   * @param found gets the record that is probably meant by each
   */
  long fetch(Access[] soon, int count, Candidate[] found) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += byPath.fetch(soon[i].key());
    }
    for (int i = 0; i < count; i++) {
      Candidate first = byPath.first(soon[i].key());
      found[i] = first == null ? NONE : first;
      // Both ends of the record: what it refers to stands at its end.
      sum += found[i].key + found[i].place;
    }
    for (int i = 0; i < count; i++) {
      sum += found[i].fetch();
    }
    return sum;
  }

  /** Reads what {@link #forget} and {@link #rename} will ask of a path and of a directory first. */
  long fetchUnder(long pathKey) {
    return byPath.fetch(pathKey) + tree.fetch(pathKey);
  }

  /** Reads what {@link #admit} will ask of a directory first. */
  long fetchDirectory(long directoryKey) {
    return tree.fetch(directoryKey);
  }

  double heat(Candidate candidate) {
    return candidate.score * heatOfScore;
  }

  /** Whether a file of this heat, without a record, should get one. */
  boolean admits(double heat) {
    return size < heap.length
        || (heat > scores[0] * heatOfScore * MARGIN + 1
            && heat > coldest().score * heatOfScore * MARGIN + 1);
  }

  private Candidate coldest() {
    while (heap[0].score > scores[0]) {
      down(heap[0]);
    }
    return heap[0];
  }

  /** Begins a record of a path that has none, in place of the coldest where there is no room. */
  void admit(long key, Access read, double heat) {
    long timeMillis = read.timeMillis();
    if (size == heap.length) {
      remove(coldest());
    }
    Candidate added = new Candidate(key, read.key(), read.path());
    added.score = heat * scoreOfRead;
    added.inheritedScore = Math.max(0, heat - 1) * scoreOfRead;
    added.since = timeMillis;
    added.read(read, 1, keptMillis);
    tree.add(added, read.hashes());
    byPath.put(added.pathKey, added);
    heap[size] = added;
    added.place = size++;
    up(added);
  }

  void read(Candidate candidate, Access read) {
    candidate.begin();
    candidate.score += scoreOfRead;
    candidate.read(read, scoreOfRead / candidate.score, keptMillis);
    candidate.end();
  }

  /** Takes back a read of a step; what the record inherited with its count is taken from that. */
  void withdrawn(Candidate candidate, long readStep, long timeMillis) {
    double score =
        Math.min(
            candidate.score,
            StrictMath.pow(2, (double) (readStep - base) / Decay.STEPS_PER_HALF_LIFE));
    candidate.begin();
    candidate.score -= score;
    candidate.withdrawn(score, timeMillis);
    candidate.end();
    cooled(candidate);
  }

  /** Counts a read of a step that is past. */
  void restored(Candidate candidate, long readStep) {
    candidate.begin();
    candidate.score += StrictMath.pow(2, (double) (readStep - base) / Decay.STEPS_PER_HALF_LIFE);
    candidate.restored();
    candidate.end();
  }

  void appended(Candidate candidate, long timeMillis) {
    candidate.begin();
    candidate.appended(timeMillis);
    candidate.end();
  }

  void transferred(Candidate candidate, Transfer transfer, long bytes) {
    candidate.begin();
    candidate.transferred(transfer, bytes);
    candidate.end();
  }

  void replaced(Candidate candidate, long timeMillis) {
    candidate.begin();
    candidate.replaced(timeMillis);
    candidate.end();
    cooled(candidate);
  }

  /** Forgets the records of a path and of all below it. */
  void forget(long pathKey) {
    under(pathKey).forEach(this::remove);
  }

  /**
   * Takes the records of a path, and of all below it, along to another.
   *
   * @param keyOf where reads of a path are counted
   */
  void rename(Access rename, ToLongFunction<PathHashes> keyOf) {
    // First, so that none is moved that lay below both.
    forget(rename.newHashes().key());
    List<Candidate> moved = under(rename.key());
    if (moved.isEmpty()) {
      return;
    }
    int oldLength = rename.path().length();
    String to = rename.newPath();
    for (Candidate candidate : moved) {
      tree.remove(candidate);
      byPath.remove(candidate.pathKey);
      candidate.begin();
      candidate.path = to + candidate.path.substring(oldLength);
      candidate.end();
      PathHashes path = PathHashes.of(nameservice, candidate.path);
      candidate.pathKey = path.key();
      candidate.key = keyOf.applyAsLong(path);
      tree.add(candidate, path);
      byPath.put(candidate.pathKey, candidate);
    }
  }

  /** Asks for the keys of the records of a path, and of all below it, once more. */
  void rekey(long pathKey, ToLongFunction<PathHashes> keyOf) {
    for (Candidate candidate : under(pathKey)) {
      candidate.key = keyOf.applyAsLong(PathHashes.of(nameservice, candidate.path));
    }
  }

  private List<Candidate> under(long pathKey) {
    List<Candidate> below = tree.below(pathKey);
    Candidate itself = find(pathKey);
    if (itself == null) {
      return below;
    }
    List<Candidate> all = new ArrayList<>(below);
    all.add(itself);
    return all;
  }

  /**
   * @param left of heat, since time passed of which the step doesn't know
   */
  List<Profile> profiles(double left) {
    List<Profile> seen = new ArrayList<>();
    double factor = heatOfScore * left;
    byPath.forEach(candidate -> seen.add(candidate.profile(factor)));
    return seen;
  }

  Profile profile(Candidate candidate, double left) {
    return candidate.profile(heatOfScore * left);
  }

  void coolTo(long newStep) {
    if (size == 0) {
      base = newStep;
    } else if (newStep - base > REBASE_STEPS) {
      double factor = StrictMath.pow(0.5, (double) (step - base) / Decay.STEPS_PER_HALF_LIFE);
      for (int i = 0; i < size; i++) {
        heap[i].begin();
        heap[i].score *= factor;
        heap[i].inheritedScore *= factor;
        heap[i].end();
        scores[i] *= factor;
      }
      base = step;
    }
    step = newStep;
    heatOfScore = StrictMath.pow(0.5, (double) (step - base) / Decay.STEPS_PER_HALF_LIFE);
    scoreOfRead = StrictMath.pow(2, (double) (step - base) / Decay.STEPS_PER_HALF_LIFE);
  }

  private void remove(Candidate candidate) {
    tree.remove(candidate);
    byPath.remove(candidate.pathKey);
    Candidate last = heap[--size];
    heap[size] = null;
    if (last != candidate) {
      heap[candidate.place] = last;
      last.place = candidate.place;
      up(last);
      down(last);
    }
  }

  private void cooled(Candidate candidate) {
    if (candidate.score < scores[candidate.place]) {
      up(candidate);
    }
  }

  private void up(Candidate candidate) {
    double score = candidate.score;
    int place = candidate.place;
    while (place > 0 && scores[(place - 1) / 2] > score) {
      set(place, heap[(place - 1) / 2], scores[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    set(place, candidate, score);
  }

  private void down(Candidate candidate) {
    double score = candidate.score;
    int place = candidate.place;
    while (2 * place + 1 < size) {
      int child = 2 * place + 1;
      if (child + 1 < size && scores[child + 1] < scores[child]) {
        child++;
      }
      if (scores[child] >= score) {
        break;
      }
      set(place, heap[child], scores[child]);
      place = child;
    }
    set(place, candidate, score);
  }

  private void set(int place, Candidate candidate, double score) {
    scores[place] = score;
    if (heap[place] != candidate) {
      heap[place] = candidate;
      candidate.place = place;
    }
  }

  // --- saving ---

  SavedState freeze() {
    Candidate[] copies = new Candidate[size];
    for (int i = 0; i < size; i++) {
      copies[i] = heap[i].copy();
    }
    long[] numbers = {heap.length, size, step, base};
    double[] ordered = Arrays.copyOf(scores, size);
    return sink -> {
      for (long number : numbers) {
        sink.number(number);
      }
      for (int i = 0; i < copies.length; i++) {
        copies[i].writeTo(sink);
        sink.real(ordered[i]);
      }
    };
  }

  /** What readers read of each, in the order of {@link #freeze} at the same moment. */
  SavedState freezeExtents() {
    Candidate[] copies = new Candidate[size];
    for (int i = 0; i < size; i++) {
      copies[i] = heap[i].copy();
    }
    return sink -> {
      for (Candidate copy : copies) {
        copy.writeExtentsTo(sink);
        copy.writeCachedTo(sink);
      }
    };
  }

  /** @param hasCached whether it was saved with what page caches leave to disks */
  void restoreExtents(StateSource source, boolean hasCached) {
    for (int i = 0; i < size; i++) {
      heap[i].readExtentsFrom(source);
      if (hasCached) {
        heap[i].readCachedFrom(source);
      }
      if (keptMillis == 0) {
        heap[i].forgetCached();
      }
    }
  }

  static Candidates restore(StateSource source, long nameservice, Duration pageCache) {
    Candidates candidates = new Candidates(nameservice, source.size(1 << 26), pageCache);
    int size = source.size(candidates.heap.length);
    long step = source.number();
    candidates.base = source.number();
    for (int i = 0; i < size; i++) {
      Candidate read = Candidate.readFrom(source, nameservice);
      // In the order of the heap, which decides between equals.
      candidates.heap[i] = read;
      candidates.scores[i] = source.real();
      read.place = i;
      candidates.byPath.put(read.pathKey, read);
      candidates.tree.add(read, PathHashes.of(nameservice, read.path));
    }
    candidates.size = size;
    candidates.step = step;
    if (size > 0) {
      candidates.coolTo(step);
    }
    return candidates;
  }
}
