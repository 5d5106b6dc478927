// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.List;
import java.util.function.Function;

/**
 * A part of a list.
 *
 * @param total of the whole list
 * @param offset of the first item, from 0
 */
public record Page<T>(List<T> items, long total, int offset) {

  public Page {
    items = List.copyOf(items);
  }

  /** What the request asks for of a list, made into what is answered. */
  public static <S, T> Page<T> of(Request request, List<S> all, Function<S, T> shown)
      throws ApiException {
    int limit = request.integer(Param.LIMIT);
    int offset = request.integer(Param.OFFSET);
    return new Page<>(
        all.stream().skip(offset).limit(limit).map(shown).toList(), all.size(), offset);
  }
}
