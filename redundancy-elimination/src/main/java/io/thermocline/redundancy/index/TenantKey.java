// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that a tenant's senders share with the gateway. It proves who they are, and keys all hashes: chunks of two
 * tenants are never equal, and nobody without the secret can make chunks that collide.
 */
public final class TenantKey {

  /** HMAC-SHA-256 of the JDK: keyed, fast by the CPU's own instructions, and no library. */
  private static final String ALGORITHM = "HmacSHA256";

  public static final int MAC_BYTES = 32;
  private static final int MIN_BYTES = 16;

  private final String tenant;
  private final byte[] secret;

  /**
   * @param tenant letters, digits, '-' and '_', at most 64
   * @param secret at least 16 bytes
   */
  public TenantKey(String tenant, byte[] secret) {
    if (!tenant.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException(
          "tenant: expected 1 to 64 letters, digits, '-' or '_', found '" + tenant + "'");
    }
    if (secret.length < MIN_BYTES) {
      throw new IllegalArgumentException(
          "secret of tenant " + tenant + ": expected at least 32 hexadecimal digits");
    }
    this.tenant = tenant;
    this.secret = secret.clone();
  }

  /** One line of a key file: {@code tenant:hexadecimal secret}. Errors don't show the secret. */
  public static TenantKey parse(String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("expected 'tenant:secret in hexadecimal digits'");
    }
    String tenant = line.substring(0, colon);
    byte[] secret;
    try {
      secret = HexFormat.of().parseHex(line.substring(colon + 1).strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "secret of tenant " + tenant + ": expected an even number of hexadecimal digits");
    }
    return new TenantKey(tenant, secret);
  }

  public String tenant() {
    return tenant;
  }

  /** Proof that somebody knows the secret: of a purpose and of what both sides drew. */
  public byte[] proof(String purpose, byte[] client, byte[] server) {
    return mac(purpose, client, server);
  }

  long hashSeed() {
    return ByteBuffer.wrap(mac("content hash")).getLong();
  }

  Mac fingerprints() {
    return mac(mac("fingerprint"));
  }

  private byte[] mac(String purpose, byte[]... parts) {
    Mac mac = mac(secret);
    mac.update((purpose + '\0' + tenant + '\0').getBytes(StandardCharsets.UTF_8));
    Arrays.stream(parts).forEach(mac::update);
    return mac.doFinal();
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is missing from this JDK", e);
    }
  }

  @Override
  public String toString() {
    return "key of tenant " + tenant;
  }
}
