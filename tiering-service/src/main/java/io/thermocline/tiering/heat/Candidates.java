// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
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
   * decay, Cormode et al., 2009): a read adds 2^(steps / 8), and only what is read moves in the heap.
   */

  /** A newcomer must be hotter by this, so that two files of equal heat don't displace each other. */
  private static final double MARGIN = 1.1;

  /** Scores are scaled back long before they overflow: after 250 half-lives. */
  private static final long REBASE_STEPS = 250L * Decay.STEPS_PER_HALF_LIFE;

  private final Candidate[] heap;

  /** Of the candidates in the heap: beside each other, where comparing them is cheap. */
  private final double[] scores;

  private final CandidateIndex byKey;
  private final TreeMap<String, Candidate> byPath = new TreeMap<>();
  private int size;
  private long step;
  private long base;
  private double scoreOfRead = 1;
  private volatile double heatOfScore = 1;

  Candidates(int most) {
    this.heap = new Candidate[most];
    this.scores = new double[most];
    this.byKey = new CandidateIndex(most);
  }

  /** Null where there is no record under the key. */
  Candidate find(long key) {
    return byKey.find(key);
  }

  double heat(Candidate candidate) {
    return candidate.score * heatOfScore;
  }

  /** Whether a file of this heat, without a record, should get one. */
  boolean admits(double heat) {
    return size < heap.length || (size > 0 && heat > scores[0] * heatOfScore * MARGIN + 1);
  }

  /** Begins a record, in place of the coldest where there is no room. */
  void admit(long key, String path, double heat, long timeMillis) {
    Candidate same = byPath.get(path);
    if (same != null) {
      remove(same);
    } else if (size == heap.length) {
      remove(heap[0]);
    }
    Candidate added = new Candidate(key, path);
    added.score = heat * scoreOfRead;
    added.inheritedScore = Math.max(0, heat - 1) * scoreOfRead;
    added.since = timeMillis;
    added.read(timeMillis);
    byPath.put(path, added);
    byKey.put(added);
    heap[size] = added;
    added.place = size++;
    up(added);
  }

  void read(Candidate candidate, long timeMillis) {
    candidate.begin();
    candidate.score += scoreOfRead;
    candidate.read(timeMillis);
    candidate.end();
    down(candidate);
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
    up(candidate);
  }

  void written(Candidate candidate, long timeMillis) {
    candidate.begin();
    candidate.written(timeMillis);
    candidate.end();
  }

  void transferred(Candidate candidate, Transfer transfer, long bytes) {
    candidate.begin();
    candidate.transferred(transfer, bytes);
    candidate.end();
  }

  void replaced(Candidate candidate, long newKey, long timeMillis) {
    candidate.begin();
    candidate.replaced(timeMillis);
    candidate.end();
    rekey(candidate, newKey);
    up(candidate);
  }

  /** Null where the path has no record. */
  Candidate at(String path) {
    return byPath.get(path);
  }

  /** Forgets the records of a path and of all below it. */
  void forget(String path) {
    under(path).forEach(this::remove);
  }

  /** Takes the records of a path, and of all below it, along to another. */
  void rename(String from, String to, ToLongFunction<String> keyOf) {
    forget(to);
    for (Candidate moved : under(from)) {
      byPath.remove(moved.path);
      moved.begin();
      moved.path = to + moved.path.substring(from.length());
      moved.end();
      byPath.put(moved.path, moved);
      rekey(moved, keyOf.applyAsLong(moved.path));
    }
  }

  /** Asks for the keys of the records of a path, and of all below it, once more. */
  void rekey(String path, ToLongFunction<String> keyOf) {
    under(path).forEach(candidate -> rekey(candidate, keyOf.applyAsLong(candidate.path)));
  }

  List<Profile> profiles() {
    List<Profile> seen = new ArrayList<>();
    double factor = heatOfScore;
    byKey.forEach(candidate -> seen.add(candidate.profile(factor)));
    return seen;
  }

  Profile profile(Candidate candidate) {
    return candidate.profile(heatOfScore);
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
        scores[i] = heap[i].score;
      }
      base = step;
    }
    step = newStep;
    heatOfScore = StrictMath.pow(0.5, (double) (step - base) / Decay.STEPS_PER_HALF_LIFE);
    scoreOfRead = StrictMath.pow(2, (double) (step - base) / Decay.STEPS_PER_HALF_LIFE);
  }

  private List<Candidate> under(String path) {
    List<Candidate> found = new ArrayList<>();
    Candidate itself = byPath.get(path);
    if (itself != null) {
      found.add(itself);
    }
    // '0' is the character after '/'.
    found.addAll(byPath.subMap(path + '/', path + '0').values());
    return found;
  }

  private void rekey(Candidate candidate, long newKey) {
    if (candidate.key != newKey) {
      byKey.remove(candidate);
      candidate.key = newKey;
      byKey.put(candidate);
    }
  }

  private void remove(Candidate candidate) {
    byPath.remove(candidate.path);
    byKey.remove(candidate);
    Candidate last = heap[--size];
    heap[size] = null;
    if (last != candidate) {
      heap[candidate.place] = last;
      last.place = candidate.place;
      up(last);
      down(last);
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
    return sink -> {
      for (long number : numbers) {
        sink.number(number);
      }
      for (Candidate copy : copies) {
        copy.writeTo(sink);
      }
    };
  }

  static Candidates restore(StateSource source) {
    Candidates candidates = new Candidates(source.size(1 << 26));
    int size = source.size(candidates.heap.length);
    long step = source.number();
    candidates.base = source.number();
    for (int i = 0; i < size; i++) {
      Candidate read = Candidate.readFrom(source);
      // In the order of the heap, which decides between equals.
      candidates.heap[i] = read;
      candidates.scores[i] = read.score;
      read.place = i;
      candidates.byKey.put(read);
      candidates.byPath.put(read.path, read);
    }
    candidates.size = size;
    candidates.step = step;
    if (size > 0) {
      candidates.coolTo(step);
    }
    return candidates;
  }
}
