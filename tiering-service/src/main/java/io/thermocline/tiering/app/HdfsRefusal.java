// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.ErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/**
 * What HDFS says in place of doing something with one path.
 *
 * @param isOfAll whether it would say so of every path, as it can't be asked at all
 */
record HdfsRefusal(ApiException answer, boolean isOfAll) {

  /**
   * @param user in whose name it was asked
   */
  static HdfsRefusal of(IOException e, String user, String path) {
    IOException said = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    String words = path + ": " + String.valueOf(said.getMessage()).lines().findFirst().orElse("");
    if (said instanceof AuthorizationException) {
      return ofPath(ErrorCode.FORBIDDEN, words, "allow it by hadoop.proxyuser.* of the NameNodes");
    }
    if (said instanceof AccessControlException) {
      return ofPath(ErrorCode.FORBIDDEN, words, "ask " + user + "'s rights of who owns it");
    }
    if (said instanceof FileNotFoundException) {
      return ofPath(ErrorCode.NO_SUCH_FILE, words, "give the hint when it is there");
    }
    boolean isOfPath =
        said instanceof QuotaExceededException
            || said instanceof UnresolvedLinkException
            || e instanceof RemoteException remote
                && (isNamed(remote, IOException.class)
                    || isNamed(remote, HadoopIllegalArgumentException.class));
    if (isOfPath) {
      return ofPath(ErrorCode.BAD_FIELD, words, "HDFS refuses it, and would again");
    }
    boolean isOfAll =
        !(e instanceof RemoteException)
            || said instanceof StandbyException
            || said instanceof RetriableException
            || said instanceof SafeModeException;
    return new HdfsRefusal(
        new ApiException(
            ErrorCode.HDFS_UNAVAILABLE, words, "target", "look at the NameNode, then try again"),
        isOfAll);
  }

  private static HdfsRefusal ofPath(ErrorCode code, String words, String whatToDo) {
    return new HdfsRefusal(new ApiException(code, words, "target", whatToDo), false);
  }

  /** Of that class itself: as which the NameNode says what it has no class for. */
  private static boolean isNamed(RemoteException e, Class<?> type) {
    return type.getName().equals(e.getClassName());
  }
}
