// SPDX-License-Identifier: Apache-2.0
/** What bin/thermocline starts. */
package io.thermocline.redundancy.commands;
