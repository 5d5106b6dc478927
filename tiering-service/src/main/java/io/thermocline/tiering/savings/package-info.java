// SPDX-License-Identifier: Apache-2.0
/** What moves brought and cost where they are carried out, day by day. */
package io.thermocline.tiering.savings;
