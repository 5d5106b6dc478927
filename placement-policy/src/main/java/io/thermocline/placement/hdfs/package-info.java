// SPDX-License-Identifier: Apache-2.0
/**
 * What runs inside a NameNode: SUORA's placement behind the stock policy's checks, the replica that
 * goes after a move, and the order of replicas for a reader.
 */
package io.thermocline.placement.hdfs;
