// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.cluster.Quotas;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Changes of HDFS that are refused where they would exceed a quota, whoever asks for them: plans, undo, groups. */
public final class WithinQuotas {

  private WithinQuotas() {}

  /**
   * The same actions; setting a storage policy or a replication factor fails where HDFS would count more than a quota
   * allows.
   *
   * @param type an interface of actions
   */
  public static <T> T of(Quotas quotas, Class<T> type, T actions) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try (Quotas.Change change = before(quotas, method, arguments)) {
                Object result = method.invoke(actions, arguments);
                if (change != null) {
                  change.done();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Null where it changes nothing that quotas are about. */
  private static Quotas.Change before(Quotas quotas, Method method, Object[] arguments)
      throws IOException {
    return switch (method.getName()) {
      case "setStoragePolicy" -> quotas.beforePolicy((String) arguments[0], (String) arguments[1]);
      case "setReplication" ->
          quotas.beforeReplication((String) arguments[0], (Integer) arguments[1]);
      default -> null;
    };
  }
}
