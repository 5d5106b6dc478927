// SPDX-License-Identifier: Apache-2.0
/**
 * HDFS as processes of their own: NameNode, DataNodes and command-line tools of any Hadoop version, from
 * the jars that Maven resolves for it. For what a shared JVM hides: class paths, configuration files,
 * exit codes, a node that is killed.
 */
package io.thermocline.testbed.process;
