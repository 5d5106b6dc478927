// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.TcpProxy;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.apache.kerby.util.NetworkUtil;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * What a secure cluster has around it: a key distribution center of Apache Kerby, keytabs,
 * certificates.
 */
final class SecureSite implements AutoCloseable {

  static final String KRB5 = "java.security.krb5.conf";
  static final String REALM = "EXAMPLE.COM";
  static final String STRANGE_REALM = "ELSEWHERE.ORG";

  /** Of all tickets, the servers' too. */
  static final Duration LIFETIME = Duration.ofSeconds(20);

  /** By which clocks may differ for the service: so long a ticket is good after its end. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  private static final int END_SECONDS = 60;

  /** Drawn for this run, so that it can be looked for everywhere. */
  private final String password = UUID.randomUUID().toString();

  private final Path directory;
  private final SimpleKdcServer kdc;

  /** The way of those whose tickets end soon. */
  private final TcpProxy toKdc;

  private final UserGroupInformation stranger;

  /**
   * @param hosts names besides localhost that web servers are asked by
   */
  SecureSite(Path directory, List<String> hosts) throws Exception {
    this.directory = Files.createDirectories(directory);
    this.stranger = stranger();
    this.kdc = kdc(REALM);
    this.toKdc = new TcpProxy(kdc.getKdcSetting().getKdcTcpPort());
    // Also of tickets for services, which else outlive the ticket that they were got with.
    kdc.getKdcConfig().setLong(KdcConfigKey.MAXIMUM_TICKET_LIFETIME, LIFETIME.toSeconds());
    // The service takes no ticket after its end; the others give minutes.
    krb5(krb5(), kdc, Duration.ofHours(12), Duration.ofMinutes(5));
    krb5(shortKrb5(), kdc, LIFETIME, SKEW);
    Files.writeString(
        shortKrb5(),
        Files.readString(shortKrb5())
            .replace(
                "localhost:" + kdc.getKdcSetting().getKdcTcpPort(), "localhost:" + toKdc.port()));
    System.setProperty(KRB5, krb5().toString());
    UserGroupInformation.setConfiguration(kerberos());
    hosts(hosts);
    certificate(hosts);
    List<String> web = new ArrayList<>(List.of("HTTP/localhost"));
    hosts.forEach(host -> web.add("HTTP/" + host));
    keytab("spnego", web.toArray(new String[0]));
    keytab("hdfs", "hdfs/localhost");
    keytab("zookeeper", "zookeeper/localhost");
    Files.writeString(directory.resolve("signature"), UUID.randomUUID().toString());
  }

  /**
   * Somebody who is known elsewhere, with a ticket for a service that is known there under the
   * same name. Kerby's options are one for all servers of a process: so this one is gone before
   * the other is made.
   */
  private UserGroupInformation stranger() throws Exception {
    SimpleKdcServer strange = kdc(STRANGE_REALM);
    try {
      krb5(krb5(), strange, Duration.ofHours(12), SKEW);
      System.setProperty(KRB5, krb5().toString());
      Configuration conf = kerberos();
      conf.set("hadoop.security.auth_to_local", "RULE:[1:$1](.*)\nDEFAULT");
      UserGroupInformation.setConfiguration(conf);
      Path keytab = keytab(strange, "strange", "HTTP/localhost", "ann");
      UserGroupInformation known =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              "ann@" + STRANGE_REALM, keytab.toString());
      strangeTicket(known);
      return known;
    } finally {
      strange.stop();
    }
  }

  /** What they show. */
  String strangeTicket() throws Exception {
    return strangeTicket(stranger);
  }

  private static String strangeTicket(UserGroupInformation known) throws Exception {
    return known.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              GSSManager manager = GSSManager.getInstance();
              GSSContext context =
                  manager.createContext(
                      manager.createName(
                          "HTTP/localhost@" + STRANGE_REALM,
                          GSSName.NT_USER_NAME,
                          new Oid("1.2.840.113554.1.2.2")),
                      new Oid("1.3.6.1.5.5.2"),
                      null,
                      GSSContext.DEFAULT_LIFETIME);
              byte[] token = context.initSecContext(new byte[0], 0, 0);
              return "Negotiate " + Base64.getEncoder().encodeToString(token);
            });
  }

  private static Configuration kerberos() {
    Configuration conf = new Configuration();
    conf.set("hadoop.security.authentication", "kerberos");
    return conf;
  }

  private SimpleKdcServer kdc(String realm) throws KrbException, IOException {
    SimpleKdcServer server = new SimpleKdcServer();
    server.setWorkDir(Files.createDirectories(directory.resolve(realm)).toFile());
    server.setKdcHost("localhost");
    server.setKdcRealm(realm);
    server.setAllowUdp(false);
    server.setKdcTcpPort(NetworkUtil.getServerPort());
    server.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
    server.init();
    server.start();
    return server;
  }

  private static void krb5(Path file, SimpleKdcServer kdc, Duration lifetime, Duration skew)
      throws IOException {
    String realm = kdc.getKdcSetting().getKdcRealm();
    Files.writeString(
        file,
        """
        [libdefaults]
          default_realm = %s
          udp_preference_limit = 1
          dns_lookup_kdc = false
          dns_lookup_realm = false
          clockskew = %d
          ticket_lifetime = %ds
        [realms]
          %s = {
            kdc = localhost:%d
          }
        """
            .formatted(
                REALM,
                skew.toSeconds(),
                lifetime.toSeconds(),
                realm,
                kdc.getKdcSetting().getKdcTcpPort()));
  }

  Path directory() {
    return directory;
  }

  Path krb5() {
    return directory.resolve("krb5.conf");
  }

  /** The same with tickets that end soon. */
  Path shortKrb5() {
    return directory.resolve("krb5-short.conf");
  }

  /** Keeps those whose tickets end soon from the KDC, or lets them reach it again. */
  void reachKdc(boolean isReached) throws IOException {
    if (isReached) {
      toKdc.mend();
    } else {
      toKdc.cut();
    }
  }

  /** Names of hosts, for JVMs: made-up ones are this host too. */
  Path hosts() {
    return directory.resolve("hosts");
  }

  private void hosts(List<String> names) throws IOException {
    List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
    lines.add("127.0.0.1 " + java.net.InetAddress.getLocalHost().getHostName());
    names.forEach(name -> lines.add("127.0.0.1 " + name));
    Files.write(hosts(), lines);
  }

  /** Makes new principals, with their keys in a file of that name. */
  Path keytab(String name, String... principals) throws KrbException {
    return keytab(kdc, name, principals);
  }

  private Path keytab(SimpleKdcServer of, String name, String... principals) throws KrbException {
    for (String principal : principals) {
      of.createPrincipal(principal, UUID.randomUUID().toString());
      of.getKadmin().exportKeytab(keytab(name).toFile(), principal);
    }
    return keytab(name);
  }

  Path keytab(String name) {
    return directory.resolve(name + ".keytab");
  }

  /** As kinit does. */
  Path ticketCache(String user, Duration lifetime) throws KrbException {
    KOptions options = new KOptions();
    options.add(KrbOption.CLIENT_PRINCIPAL, user + "@" + REALM);
    options.add(KrbOption.USE_KEYTAB, true);
    options.add(KrbOption.KEYTAB_FILE, keytab(user).toFile());
    options.add(KrbOption.LIFE_TIME, (int) lifetime.toSeconds());
    File cache = directory.resolve("ccache-" + user).toFile();
    kdc.getKrbClient().storeTicket(kdc.getKrbClient().requestTgt(options), cache);
    return cache.toPath();
  }

  /** After this time a ticket that is got now is good nowhere. */
  static Duration end(Duration lifetime) {
    return lifetime.plus(SKEW).plusSeconds(1);
  }

  private void certificate(List<String> hosts) throws IOException, InterruptedException {
    String names = hosts.stream().map(host -> ",dns:" + host).collect(Collectors.joining());
    keytool(
        List.of("-genkeypair", "-keyalg", "RSA", "-validity", "2", "-dname", "CN=localhost"),
        List.of("-ext", "san=dns:localhost,ip:127.0.0.1" + names, "-storetype", "PKCS12"),
        store());
    Path certificate = directory.resolve("certificate");
    keytool(List.of("-exportcert", "-file", certificate.toString()), List.of(), store());
    // As JKS, whose certificates a JVM reads without a password.
    keytool(
        List.of("-importcert", "-noprompt", "-file", certificate.toString()),
        List.of("-storetype", "JKS"),
        trusted());
    Files.writeString(passwordFile(), password + "\n");
    Path web = Files.createDirectories(web());
    Map<String, String> server = new HashMap<>();
    server.put("ssl.server.keystore.location", store().toString());
    server.put("ssl.server.keystore.password", password);
    server.put("ssl.server.keystore.keypassword", password);
    server.put("ssl.server.keystore.type", "pkcs12");
    server.put("ssl.server.truststore.location", trusted().toString());
    server.put("ssl.server.truststore.password", password);
    server.put("ssl.server.truststore.type", "jks");
    write(web.resolve("ssl-server.xml"), server);
    write(
        web.resolve("ssl-client.xml"),
        Map.of(
            "ssl.client.truststore.location",
            trusted().toString(),
            "ssl.client.truststore.password",
            password,
            "ssl.client.truststore.type",
            "jks"));
  }

  private void keytool(List<String> command, List<String> more, Path store)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    line.addAll(command);
    line.addAll(more);
    line.addAll(List.of("-alias", "here", "-keystore", store.toString()));
    line.addAll(List.of("-storepass", password));
    Path said = directory.resolve("keytool.out");
    Process process =
        Reaper.watch(
            new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start());
    process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    assertEquals(0, process.exitValue(), Files.readString(said));
  }

  private static void write(Path file, Map<String, String> settings) throws IOException {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    try (var out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
  }

  /** The directory of ssl-server.xml and ssl-client.xml. */
  Path web() {
    return directory.resolve("web");
  }

  Path store() {
    return directory.resolve("server.p12");
  }

  Path trusted() {
    return directory.resolve("trusted.jks");
  }

  Path passwordFile() {
    return directory.resolve("server.password");
  }

  String password() {
    return password;
  }

  /** Kerberos, block tokens, privacy on all ways, pages over HTTPS for who has a ticket. */
  Map<String, String> settings() {
    Map<String, String> all = new HashMap<>();
    all.put("hadoop.security.authentication", "kerberos");
    all.put("hadoop.security.authorization", "true");
    all.put("hadoop.rpc.protection", "privacy");
    all.put("hadoop.kerberos.min.seconds.before.relogin", "1");
    all.put("dfs.data.transfer.protection", "privacy");
    all.put("dfs.block.access.token.enable", "true");
    all.put("dfs.http.policy", "HTTPS_ONLY");
    all.put("dfs.namenode.https-address", "127.0.0.1:0");
    all.put("dfs.datanode.https.address", "127.0.0.1:0");
    for (String server : new String[] {"namenode", "datanode"}) {
      all.put("dfs." + server + ".kerberos.principal", "hdfs/localhost@" + REALM);
      all.put("dfs." + server + ".keytab.file", keytab("hdfs").toString());
    }
    for (String way : new String[] {"dfs.web", "hadoop.http"}) {
      all.put(way + ".authentication.kerberos.principal", "*");
      all.put(way + ".authentication.kerberos.keytab", keytab("spnego").toString());
    }
    all.put("hadoop.http.authentication.type", "kerberos");
    all.put(
        "hadoop.http.authentication.signature.secret.file",
        directory.resolve("signature").toString());
    all.put(
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.security.AuthenticationFilterInitializer");
    return all;
  }

  @Override
  public void close() throws IOException, KrbException {
    toKdc.close();
    kdc.stop();
    System.clearProperty(KRB5);
  }
}
