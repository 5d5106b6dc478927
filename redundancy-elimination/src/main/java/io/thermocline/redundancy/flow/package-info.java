// SPDX-License-Identifier: Apache-2.0
/** Which chunking each flow gets, and how the controller changes it. Pure: time is an argument. */
package io.thermocline.redundancy.flow;
