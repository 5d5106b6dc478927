// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.List;

/**
 * What is read and written. Each client has its own link, each of its jobs waits for one request after the other.
 *
 * @param field in names of figures
 * @param clients with a link each
 * @param jobs of each client
 * @param dataSets popularities of as many objects, one after the other; between them a half-life passes
 * @param requestBytes of each request
 * @param requests of an operation, one behind the other within an object; where there is but one, it is anywhere in it
 * @param readShare of the operations
 * @param watermarks of the SSDs
 */
record Workload(
    String field,
    int clients,
    int jobs,
    List<Popularity> dataSets,
    long requestBytes,
    int requests,
    double readShare,
    SuoraStore.Watermarks watermarks) {
  private static final int BEGIN = 6;

  Workload {
    dataSets = List.copyOf(dataSets);
    if (requests * requestBytes > Testbed.OBJECT_BYTES) {
      throw new IllegalArgumentException(
          requests + " requests of " + requestBytes + " bytes are more than an object");
    }
  }

  int objects() {
    return dataSets.get(0).objects();
  }

  /** By which a data set's objects are read as often as they should be. */
  long operations(Popularity dataSet) {
    return Math.round(dataSet.reads() / readShare);
  }

  /** What simulating it takes, about: to begin an operation as much as six requests. */
  long work() {
    long operations = operations(dataSets.get(dataSets.size() - 1));
    for (Popularity dataSet : dataSets) {
      operations += operations(dataSet);
    }
    return operations * (BEGIN + requests);
  }
}
