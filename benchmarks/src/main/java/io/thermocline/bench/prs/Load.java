// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

/**
 * What clients ask for.
 *
 * @param clients each with a link of its own
 * @param jobs of each client, each with one request ahead
 * @param objects there are; a job that doesn't draw has a file of its own of {@link
 *      #FILE_OBJECTS} of them
 * @param requests of each job
 * @param bytes of a request
 * @param order in which a job asks
 * @param skew exponent of Zipf, where objects are drawn
 * @param readShare of the requests
 * @param atSsd whether the first client runs on an SSD's node, and reads there without its link
 * @param atOnce requests of a client that are under way at once; others wait
 * @param creates whether what is written is new, so that a file system's journal is written too
 */
record Load(
    int clients,
    int jobs,
    int objects,
    long requests,
    long bytes,
    Order order,
    double skew,
    double readShare,
    boolean atSsd,
    int atOnce,
    boolean creates) {

  /** Objects of a file of 100 MB. */
  static final int FILE_OBJECTS = 25;

  enum Order {
    /** A file from its beginning to its end. */
    SEQUENTIAL,
    /** A file in pieces of a request, each once, in an order of chance. */
    RANDOM,
    /** Any object by skew, at a place of chance. */
    DRAWN,
    /** Any object by skew, from its beginning on until the next is drawn. */
    DRAWN_RUNS
  }

  /** FIO as in section 4.1: each job reads a file of 100 MB once. */
  static Load fio(int clients, int jobs, long bytes, Order order) {
    long requests = Math.max(1, FILE_OBJECTS * Storage.OBJECT_BYTES / bytes);
    return new Load(
        clients,
        jobs,
        clients * jobs * FILE_OBJECTS,
        requests,
        bytes,
        order,
        0,
        1,
        false,
        Integer.MAX_VALUE,
        false);
  }

  /** Files written from their beginning to their end, as in section 4.6. */
  static Load writing(int jobs, long bytes, boolean creates) {
    Load read = fio(1, jobs, bytes, Order.SEQUENTIAL);
    return new Load(
        1, jobs, read.objects, read.requests, bytes, Order.SEQUENTIAL, 0, 0, false, jobs, creates);
  }

  /** The same objects in the same order, read. */
  Load asRead() {
    return new Load(clients, jobs, objects, requests, bytes, order, skew, 1, atSsd, atOnce, false);
  }

  /** With so few requests of a client under way at once. */
  Load withAtOnce(int limit) {
    return new Load(
        clients, jobs, objects, requests, bytes, order, skew, readShare, atSsd, limit, creates);
  }

  int allJobs() {
    return clients * jobs;
  }
}
