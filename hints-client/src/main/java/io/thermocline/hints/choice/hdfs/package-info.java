// SPDX-License-Identifier: Apache-2.0
/** Ends a choice on HDFS: tables of its DataNodes, and files created where they were chosen to be. */
package io.thermocline.hints.choice.hdfs;
