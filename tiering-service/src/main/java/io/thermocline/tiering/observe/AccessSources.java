// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.util.List;

/** Several sources as one, each with logs of its own. Threads as for each of them. */
public final class AccessSources implements AccessSource {

  private final List<AccessSource> sources;

  public AccessSources(List<AccessSource> sources) {
    this.sources = List.copyOf(sources);
  }

  /** One that fails doesn't keep the others from being read. */
  @Override
  public boolean poll(AccessSink sink, long maxBytes) throws IOException {
    boolean more = false;
    IOException problem = null;
    for (AccessSource source : sources) {
      try {
        more |= source.poll(sink, maxBytes);
      } catch (IOException e) {
        problem = with(problem, e);
      } catch (RuntimeException | StackOverflowError e) {
        problem = with(problem, new IOException("a source failed: " + e, e));
      }
    }
    if (problem != null) {
      throw problem;
    }
    return more;
  }

  @Override
  public SourceCheckpoint checkpoint() throws IOException {
    SourceCheckpoint all = SourceCheckpoint.none();
    for (AccessSource source : sources) {
      all = all.plus(source.checkpoint());
    }
    return all;
  }

  @Override
  public void stored(SourceCheckpoint checkpoint) {
    sources.forEach(source -> source.stored(checkpoint));
  }

  @Override
  public LineCounts counts() {
    return sources.stream().map(AccessSource::counts).reduce(LineCounts.NONE, LineCounts::plus);
  }

  @Override
  public void close() throws IOException {
    IOException problem = null;
    for (AccessSource source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        problem = with(problem, e);
      }
    }
    if (problem != null) {
      throw problem;
    }
  }

  /** Both; the first may be null. */
  static IOException with(IOException first, IOException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }
}
