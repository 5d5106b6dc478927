// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a source stands: how far each log was read, and what is remembered of the lines before for the sake of those to
 * come (which opens belong together, who is about to scan). Immutable.
 *
 * @param windows of each log, that memory
 */
public record SourceCheckpoint(LogPositions positions, Map<String, byte[]> windows) {

  public SourceCheckpoint {
    windows = Map.copyOf(windows);
  }

  public static SourceCheckpoint none() {
    return new SourceCheckpoint(LogPositions.none(), Map.of());
  }

  /** What both say; logs of the one aren't among those of the other. */
  public SourceCheckpoint plus(SourceCheckpoint other) {
    Map<String, String> positionsOfBoth = new TreeMap<>(positions.byLog());
    positionsOfBoth.putAll(other.positions.byLog());
    Map<String, byte[]> windowsOfBoth = new TreeMap<>(windows);
    windowsOfBoth.putAll(other.windows);
    return new SourceCheckpoint(new LogPositions(positionsOfBoth), windowsOfBoth);
  }

  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] text = positions.toText().getBytes(java.nio.charset.StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
      out.writeInt(windows.size());
      for (Map.Entry<String, byte[]> entry : new TreeMap<>(windows).entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeInt(entry.getValue().length);
        out.write(entry.getValue());
      }
    } catch (IOException e) {
      throw new IllegalStateException("an array can't fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException where it is not what {@link #toBytes} gave
   */
  public static SourceCheckpoint parse(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte[] text = in.readNBytes(in.readInt());
      Map<String, byte[]> windows = new TreeMap<>();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        String log = in.readUTF();
        windows.put(log, in.readNBytes(in.readInt()));
      }
      return new SourceCheckpoint(
          LogPositions.parse(new String(text, java.nio.charset.StandardCharsets.UTF_8)), windows);
    } catch (IllegalArgumentException e) {
      throw new IOException("not a checkpoint of a source: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SourceCheckpoint that && Arrays.equals(toBytes(), that.toBytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toBytes());
  }
}
