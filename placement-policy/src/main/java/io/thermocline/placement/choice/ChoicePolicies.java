// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.ArrayList;
import java.util.List;

/** Policies by the names that a configuration gives. */
public final class ChoicePolicies {
  private ChoicePolicies() {}

  /**
   * A published policy by its name, or one of somebody's own by its class name.
   *
   * @param loader for a class: it must implement {@link ChoicePolicy} and have a public constructor
   *     without arguments
   * @throws IllegalArgumentException if there is no such policy; the message lists what there is
   */
  public static ChoicePolicy named(String name, ClassLoader loader) {
    List<String> known = new ArrayList<>();
    for (PublishedPolicy policy : PublishedPolicy.values()) {
      if (policy.policyName().equalsIgnoreCase(name)) {
        return policy;
      }
      known.add(policy.policyName());
    }
    if (name.indexOf('.') < 0) {
      throw new IllegalArgumentException(
          "no choice policy '" + name + "': give one of " + known + " or the name of a class");
    }
    try {
      return Class.forName(name, true, loader)
          .asSubclass(ChoicePolicy.class)
          .getConstructor()
          .newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("no class " + name + " on the class path", e);
    } catch (ClassCastException e) {
      throw new IllegalArgumentException(
          "class " + name + " doesn't implement " + ChoicePolicy.class.getName(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "class " + name + " can't be made by a public constructor without arguments", e);
    }
  }
}
