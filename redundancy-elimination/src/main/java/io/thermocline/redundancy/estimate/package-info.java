// SPDX-License-Identifier: Apache-2.0
/** What the link would save on a directory. */
package io.thermocline.redundancy.estimate;
