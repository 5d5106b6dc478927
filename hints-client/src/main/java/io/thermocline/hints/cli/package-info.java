// SPDX-License-Identifier: Apache-2.0
/** What {@code hdfs storagepolicies} and {@code hdfs tiering} do beside what HDFS has. */
package io.thermocline.hints.cli;
