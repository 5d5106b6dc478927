// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.List;

/** Routes that belong together. */
@FunctionalInterface
public interface Resource {

  List<Route> routes();
}
