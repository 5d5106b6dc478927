// SPDX-License-Identifier: Apache-2.0
/** Sender and gateway: the protocol and its two ends. */
package io.thermocline.redundancy.link;
