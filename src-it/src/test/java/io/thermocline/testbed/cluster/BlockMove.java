// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;

/** Moves one replica as a balancer does, on a cluster without block tokens. */
public record BlockMove(ExtendedBlock block, DatanodeInfo source, DatanodeInfo target) {

  /** Returns when the target has the replica. */
  public void to(StorageType type) throws IOException {
    try (Socket socket = new Socket(target.getIpAddr(), target.getXferPort())) {
      new Sender(new DataOutputStream(socket.getOutputStream()))
          .replaceBlock(
              block,
              type,
              BlockTokenSecretManager.DUMMY_TOKEN,
              source.getDatanodeUuid(),
              source,
              null);
      InputStream in = socket.getInputStream();
      BlockOpResponseProto response = read(in);
      while (response.getStatus() == Status.IN_PROGRESS) {
        response = read(in);
      }
      if (response.getStatus() != Status.SUCCESS) {
        throw new IOException(response.getStatus() + ": " + response.getMessage());
      }
    }
  }

  private static BlockOpResponseProto read(InputStream in) throws IOException {
    return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
  }
}
