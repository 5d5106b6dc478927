// SPDX-License-Identifier: Apache-2.0
/**
 * For applications that choose themselves where a file goes: the candidate sets of servers for a path, what
 * is known of the servers, and the choice. Needs no Hadoop class; package {@code hdfs} ends it on HDFS.
 *
 * <p>Source: Li, Xu: Optimizing Hash-based Distributed Storage Using Client Choices, APSys 2016, sections
 * 3.2 and 6 (the application-level API that the paper leaves to do).
 */
package io.thermocline.hints.choice;
