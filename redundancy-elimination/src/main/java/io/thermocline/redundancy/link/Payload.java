// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.thermocline.redundancy.index.ContentHash;
import io.thermocline.redundancy.index.TenantKey;
import java.util.Arrays;

/**
 * The missing chunks of a batch, one behind the other, compressed together if that saves anything.
 *
 * @param rawLength before compression
 * @param bytes as they are sent: compressed if there are fewer than {@code rawLength}
 */
public record Payload(int rawLength, byte[] bytes) {

  /** What a chunk costs in a query. */
  public static final int QUERY_BYTES = ContentHash.BYTES;

  /** What a chunk costs that the gateway has: its length and fingerprint. */
  public static final int REFERENCE_BYTES = Integer.BYTES + TenantKey.MAC_BYTES;

  /** What a chunk costs besides its content. */
  public static final int DATA_BYTES = Integer.BYTES;

  private static final int LEVEL = 1;

  public static Payload of(byte[] data, int length, boolean compress) {
    if (compress && length > 0) {
      byte[] out = new byte[(int) Zstd.compressBound(length)];
      int size = compress(out, data, length);
      if (size < length) {
        return new Payload(length, Arrays.copyOf(out, size));
      }
    }
    return new Payload(length, Arrays.copyOf(data, length));
  }

  /** How many bytes would be sent. */
  public static int compressedSize(byte[] data, int length) {
    return of(data, length, true).bytes().length;
  }

  /**
   * The chunks' bytes.
   *
   * @throws ProtocolException if these aren't exactly as many as announced
   */
  public byte[] raw() throws ProtocolException {
    if (bytes.length == rawLength) {
      return bytes;
    }
    byte[] raw = new byte[rawLength];
    long size;
    try {
      size = Zstd.decompressByteArray(raw, 0, rawLength, bytes, 0, bytes.length);
    } catch (ZstdException e) {
      throw new ProtocolException("chunks can't be decompressed: " + e.getMessage());
    }
    if (size != rawLength) {
      throw new ProtocolException("chunks: " + rawLength + " bytes were announced, found " + size);
    }
    return raw;
  }

  private static int compress(byte[] out, byte[] data, int length) {
    long size = Zstd.compressByteArray(out, 0, out.length, data, 0, length, LEVEL);
    if (Zstd.isError(size)) {
      throw new IllegalStateException("zstd: " + Zstd.getErrorName(size));
    }
    return (int) size;
  }
}
