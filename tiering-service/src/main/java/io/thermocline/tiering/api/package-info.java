// SPDX-License-Identifier: Apache-2.0
/**
 * The REST interface: routes, what they take and answer, and the server that carries them. It
 * asks the service through small functions that it is given, and knows nothing of how they are
 * answered.
 */
package io.thermocline.tiering.api;
