// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

/** What a NameNode says of its own code and of the placement policy in force, through its /jmx page. */
public interface NameNodeProbeMXBean {

  /** Hadoop's version, from the class path of the NameNode's process. */
  String getHadoopVersion();

  /** Class of the policy that places contiguous blocks now. */
  String getPolicyClass();

  /** Where that class was loaded from. */
  String getPolicySource();

  /** Tells one instance of the policy from another. */
  int getPolicyIdentity();

  /** What the policy counted so far, or nothing where it doesn't count. */
  String getPolicyCounters();
}
