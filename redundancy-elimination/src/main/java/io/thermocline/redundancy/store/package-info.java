// SPDX-License-Identifier: Apache-2.0
/** Files on both sides of the link: what is copied, and where a gateway writes. */
package io.thermocline.redundancy.store;
