// SPDX-License-Identifier: Apache-2.0
/**
 * Generated audit logs with known truth: what clients read of each file, beside the lines that the NameNode writes about it.
 */
package io.thermocline.testbed.audit;
