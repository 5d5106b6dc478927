// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who this process is to a cluster with Kerberos. Of a keytab Hadoop gets a new ticket before
 * the old one ends, in a thread of its own, and again where a connection fails; a ticket of
 * kinit ends when it ends.
 */
public final class Login {

  private static final Logger LOG = LoggerFactory.getLogger(Login.class);

  private Login() {}

  /**
   * Logs in where the cluster wants that; does nothing where it doesn't.
   *
   * @param hadoop the cluster's
   * @param keytab null: by the ticket of whoever started this
   * @throws IOException where that can't be done, and why
   */
  static void to(Configuration hadoop, ServiceConfig.Keytab keytab) throws IOException {
    if (keytab != null && !Files.isReadable(keytab.file())) {
      throw new IOException(
          "hdfs.kerberos.keytab: "
              + keytab.file()
              + " isn't there or can't be read by this user: make it in kadmin: ktadd -k "
              + keytab.file()
              + " "
              + principal(keytab)
              + "; then let the service's user alone read it");
    }
    if (keytab != null) {
      RegularFiles.attributes(keytab.file());
    }
    if (SecurityUtil.getAuthenticationMethod(hadoop) != AuthenticationMethod.KERBEROS) {
      if (keytab != null) {
        throw new IOException(
            "hdfs.kerberos is given, but the Hadoop configuration has"
                + " hadoop.security.authentication = simple: have hdfs.configuration name the"
                + " directory of the cluster's own, or take hdfs.kerberos out");
      }
      return;
    }
    hadoop.setBoolean(
        CommonConfigurationKeysPublic.HADOOP_KERBEROS_KEYTAB_LOGIN_AUTORENEWAL_ENABLED, true);
    try {
      UserGroupInformation.setConfiguration(hadoop);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the cluster wants Kerberos, but: " + e.getMessage() + "; look at this host's krb5.conf",
          e);
    }
    if (keytab != null) {
      byKeytab(keytab);
    } else if (!UserGroupInformation.getCurrentUser().hasKerberosCredentials()) {
      throw new IOException(
          "the cluster wants Kerberos, and there is no ticket: give hdfs.kerberos, a principal"
              + " and its keytab, or run kinit first");
    } else {
      LOG.warn(
          "acting by the ticket of {}, which ends: a service needs a keytab, hdfs.kerberos",
          UserGroupInformation.getCurrentUser().getUserName());
    }
  }

  private static void byKeytab(ServiceConfig.Keytab keytab) throws IOException {
    String principal = principal(keytab);
    if (UserGroupInformation.isLoginKeytabBased()
        && UserGroupInformation.getLoginUser().getUserName().equals(principal)) {
      return;
    }
    try {
      UserGroupInformation.loginUserFromKeytab(principal, keytab.file().toString());
    } catch (IOException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "can't log in as "
              + principal
              + " with "
              + keytab.file()
              + ": "
              + cause.getMessage()
              + ". Try: kinit -kt "
              + keytab.file()
              + " "
              + principal,
          e);
    }
  }

  /** With this host's name for {@code _HOST}. */
  public static String principal(ServiceConfig.Keytab keytab) throws IOException {
    return SecurityUtil.getServerPrincipal(keytab.principal(), "0.0.0.0");
  }
}
