// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.heat.Mix;
import java.time.LocalDate;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads of a busy cluster whose sets of files that belong together are known: each client reads all files of a set of its
 * choice within 80 ms, in an order of its own, then rests for 11 s and more. Sets are chosen evenly.
 *
 * @param sets of files
 * @param files of each
 * @param clients that read at the same time
 * @param reads in all
 * @param singles share of the clients' turns that read one file alone, one of as many as are in sets: 0 to 1
 * @param skipped share of reads that don't happen: a client does without a file of the set: 0 to 1
 * @param shared files of each set that the next one has too
 * @param weeks after each of which, as many reads as in the others, sets are of other files: all have another date in their
 *     paths
 * @param marks how clients are told apart
 */
public record GeneratedSets(
    int sets,
    int files,
    int clients,
    long reads,
    double singles,
    double skipped,
    int shared,
    int weeks,
    Marks marks,
    long seed) {

  /** How clients are told apart in a log. */
  public enum Marks {
    /** Each has an address. */
    ADDRESSES,
    /** All come through one address, each as a user. */
    USERS,
    /** Each is a job whose tasks read from fifty addresses, and has an application. */
    JOBS,
    /** All come through one address as one user. */
    NONE
  }

  /** What is done with each read. */
  public interface Each {
    /**
     * @param set that the file is of, or -1; that of another week is another one
     * @param file of the set, or which of the single ones
     * @param client from 0 on
     */
    void read(int set, int file, int client, long millis);
  }

  private static final String SINGLE = "/data/single/";
  private static final Pattern PATH = Pattern.compile("/data/sets/s-(\\d+)/(.*)f-(\\d+)");
  private static final LocalDate FIRST_WEEK = LocalDate.of(2026, 9, 7);
  private static final long BEGIN_MILLIS = 1_790_000_000_000L;
  private static final int SPREAD_MILLIS = 80;
  private static final int REST_MILLIS = 11_000;

  public GeneratedSets {
    if (sets < 1 || files < 2 || clients < 1 || reads < 1) {
      throw new IllegalArgumentException(
          "sets (%d), clients (%d) and reads (%d) are at least 1, files (%d) at least 2"
              .formatted(sets, clients, reads, files));
    }
    if (!(singles >= 0 && singles < 1) || !(skipped >= 0 && skipped < 1)) {
      throw new IllegalArgumentException(
          "singles (%s) and skipped (%s) are 0 to below 1".formatted(singles, skipped));
    }
    if (shared < 0 || shared > 0 && sets < 2 || 2 * shared > files || weeks < 1) {
      throw new IllegalArgumentException(
          "shared (%d) is 0 to half of the files (%d), and 0 with one set; weeks (%d) at least 1"
              .formatted(shared, files, weeks));
    }
  }

  /** 200 sets of eight files, 48,000 reads: each set is read 30 times. */
  public static GeneratedSets of(int clients, Marks marks, long seed) {
    return new GeneratedSets(200, 8, clients, 48_000, 0, 0, 0, 1, marks, seed);
  }

  private record Read(long millis, int set, int file, int client) {}

  /** All of them in the order of time. */
  public void each(Each each) {
    SplittableRandom random = new SplittableRandom(seed);
    PriorityQueue<Read> coming = new PriorityQueue<>((a, b) -> Long.compare(a.millis, b.millis));
    for (int client = 0; client < clients; client++) {
      turn(0, client, BEGIN_MILLIS + random.nextInt(2 * REST_MILLIS), random, coming);
    }
    for (long done = 0; done < reads; ) {
      Read read = coming.remove();
      if (read.file < 0) {
        turn((int) (done * weeks / reads), read.client, read.millis, random, coming);
        continue;
      }
      each.read(read.set, read.file, read.client, read.millis);
      done++;
    }
  }

  private void turn(
      int week, int client, long millis, SplittableRandom random, PriorityQueue<Read> coming) {
    if (random.nextDouble() < singles) {
      coming.add(new Read(millis, -1, random.nextInt(sets * files), client));
    } else {
      int set = random.nextInt(sets);
      for (int file = 0; file < files; file++) {
        if (random.nextDouble() >= skipped) {
          boolean isOfNext = file >= files - shared;
          coming.add(
              new Read(
                  millis + random.nextInt(SPREAD_MILLIS),
                  week * sets + (isOfNext ? (set + 1) % sets : set),
                  isOfNext ? file - (files - shared) : file,
                  client));
        }
      }
    }
    long rest = REST_MILLIS + (long) (-6_000 * Math.log(1 - random.nextDouble()));
    coming.add(new Read(millis + SPREAD_MILLIS + rest, 0, -1, client));
  }

  /** Path of a file. */
  public String path(int set, int file) {
    if (set < 0) {
      return SINGLE + "%02d/f-%06d".formatted(file % 100, file);
    }
    return "/data/sets/s-%05d/%sf-%02d"
        .formatted(
            set % sets, weeks == 1 ? "" : "week=" + FIRST_WEEK.plusWeeks(set / sets) + "/", file);
  }

  /** The sets that a file is of; of single files, none belongs with another. */
  Set<String> setsOf(String path) {
    if (path.startsWith(SINGLE)) {
      return Set.of(path);
    }
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      throw new IllegalArgumentException(path + " wasn't generated");
    }
    int set = Integer.parseInt(parts.group(1));
    String own = set + parts.group(2);
    boolean isOfBefore = Integer.parseInt(parts.group(3)) < shared;
    return isOfBefore ? Set.of(own, (set + sets - 1) % sets + parts.group(2)) : Set.of(own);
  }

  /** Of files that belong together, of a set; each is counted once though several sets have it. */
  long pairs() {
    return ((long) files * (files - 1) - (long) shared * (shared - 1)) / 2;
  }

  private String address(int client, int file) {
    return switch (marks) {
      case ADDRESSES ->
          "10.%d.%d.%d".formatted(client >> 16 & 255, client >> 8 & 255, client & 255);
      case JOBS -> "10.0.0." + (client + 7 * file) % 50;
      case USERS, NONE -> "10.0.0.1";
    };
  }

  private String context(int client, int file) {
    return marks == Marks.JOBS
        ? "\tcallerContext=mr_attempt_1790000000000_%04d_m_%06d_0".formatted(client + 1, file)
        : "";
  }

  /** What tells the client apart, as a key. */
  long reader(int client) {
    return marks == Marks.NONE ? 0 : Mix.of(client);
  }

  /** As a NameNode's audit log has it. */
  public String line(int set, int file, int client, String time) {
    return time
        + " INFO FSNamesystem.audit: allowed=true\tugi="
        + (marks == Marks.USERS ? "user" + client : "etl")
        + " (auth:SIMPLE)\tip=/"
        + address(client, file)
        + "\tcmd=open\tsrc="
        + path(set, file)
        + "\tdst=null\tperm=null\tproto=rpc"
        + context(client, file);
  }
}
