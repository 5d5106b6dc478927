// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import javax.crypto.Mac;

/** The two hashes of a chunk, keyed by tenant. For one thread. */
public final class ChunkHasher {
  private final Hasher128 fast;
  private final Mac mac;

  public ChunkHasher(TenantKey key) {
    this.fast = Hashing.xxh3_128(key.hashSeed());
    this.mac = key.fingerprints();
  }

  /** XXH3. */
  public ContentHash hash(byte[] data, int from, int length) {
    HashValue128 value = fast.hashBytesTo128Bits(data, from, length);
    return new ContentHash(value.getMostSignificantBits(), value.getLeastSignificantBits());
  }

  /** HMAC-SHA-256: two chunks with the same one are equal. */
  public byte[] fingerprint(byte[] data, int from, int length) {
    mac.update(data, from, length);
    return mac.doFinal();
  }
}
