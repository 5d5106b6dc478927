// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/** Makes the service's threads: daemons that run as its user and mark its calls as its own. */
public final class ServiceThreads {

  private final UserGroupInformation user;
  private final String callerContext;

  public ServiceThreads(UserGroupInformation user, String callerContext) {
    this.user = user;
    this.callerContext = callerContext;
  }

  public ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(() -> run(task), name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  private void run(Runnable task) {
    CallerContext.setCurrent(new CallerContext.Builder(callerContext).build());
    user.doAs(
        (PrivilegedAction<Void>)
            () -> {
              task.run();
              return null;
            });
  }
}
