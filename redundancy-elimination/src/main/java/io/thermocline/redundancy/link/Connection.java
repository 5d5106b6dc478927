// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;

/** Messages over a socket, each after its length in four bytes. One thread may read while another writes. */
public final class Connection implements Closeable {
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private volatile long sent;

  public Connection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    this.in =
        new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 16));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
  }

  public void send(Message message) throws IOException {
    byte[] bytes = MessageCodec.encode(message);
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
    sent += Integer.BYTES + bytes.length;
  }

  /**
   * @param maxBytes of the message
   * @throws EOFException if the other side closed the connection
   */
  public Message receive(int maxBytes) throws IOException {
    int length = in.readInt();
    if (length < 1 || length > maxBytes) {
      throw new ProtocolException(
          "message: expected 1 to " + maxBytes + " bytes, announced are " + length);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended within a message");
    }
    return MessageCodec.decode(bytes);
  }

  /** Bytes since the beginning, without what TLS adds. */
  public long sent() {
    return sent;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
