// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

/** A file of the generated namespace, and what was read of it. Not thread-safe. */
final class DataFile {
  static final long BLOCK = 128L << 20;

  final String path;
  long length;
  private long blockReads;
  private long bytes;

  DataFile(String path, long length) {
    this.path = path;
    this.length = length;
  }

  int blocks() {
    return (int) ((length + BLOCK - 1) / BLOCK);
  }

  long bytesOf(int block) {
    return Math.min(BLOCK, length - block * BLOCK);
  }

  /** The disk of a DataNode served so many requests with so many bytes in all. */
  void served(long requests, long sum) {
    blockReads += requests;
    bytes += sum;
  }

  FileReads reads() {
    return new FileReads(path, length, BLOCK, blockReads, bytes);
  }
}
