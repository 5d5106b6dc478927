// SPDX-License-Identifier: Apache-2.0
/**
 * Hints to the tiering service, from inside applications: what never blocks, fails or fills its host, and the
 * plain requests that it is made of. The JDK alone.
 */
package io.thermocline.hints.client;
