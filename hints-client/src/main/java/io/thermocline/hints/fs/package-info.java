// SPDX-License-Identifier: Apache-2.0
/**
 * HDFS with hints for applications that know nothing of them: what stands in the configuration about a path decides
 * where a file is created and what the tiering service is told.
 */
package io.thermocline.hints.fs;
