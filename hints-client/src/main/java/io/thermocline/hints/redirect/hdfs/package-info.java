// SPDX-License-Identifier: Apache-2.0
/** Reads that are served from group files, on HDFS. */
package io.thermocline.hints.redirect.hdfs;
