// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Roles;
import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LogGlob;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.FirstParts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * thermocline.yaml, typed and checked. {@link ServiceConfigFile} reads it; conf/thermocline.yaml
 * explains every key.
 */
public record ServiceConfig(
    Hdfs hdfs,
    Observe observe,
    Learning heat,
    Manage manage,
    Decide decide,
    Act act,
    Path journal,
    HintConfig hints,
    Api api,
    Shared shared) {

  /** Keys, and sections, that count from the next start on. */
  public static final List<String> RESTART =
      List.of(
          "hdfs.nameNode",
          "hdfs.configuration",
          "hdfs.kerberos",
          "heat.halfLife",
          "heat.files",
          "heat.pageCache",
          "heat.checkpoint",
          "journal.directory",
          "api",
          "ha",
          "mover");

  /** The same, with what each key comes to. */
  ServiceConfig withSettings(
      List<ConfigResource.Setting> settings, Map<String, Integer> hidden, Path file) {
    return new ServiceConfig(
        hdfs,
        observe,
        heat,
        manage,
        decide,
        act,
        journal,
        hints,
        new Api(api.host(), api.port(), api.security(), settings, hidden, file),
        shared);
  }

  /**
   * What a running service makes of another file: that, but for what stays as it is until the service is started again. Of
   * {@link #RESTART}.
   */
  public ServiceConfig reloaded(ServiceConfig next) {
    return new ServiceConfig(
        new Hdfs(
            hdfs.nameNode(),
            hdfs.configuration(),
            next.hdfs.segmentTables(),
            next.hdfs.nodeAttributes(),
            hdfs.kerberos(),
            hdfs.mover()),
        next.observe,
        new Learning(heat.settings(), heat.checkpoint(), next.heat.checkpointEvery()),
        next.manage,
        next.decide,
        next.act,
        journal,
        next.hints,
        api,
        new Shared(shared.journal(), next.shared.keep(), shared.election()));
  }

  /** As {@code decide.every} says, or as often as what a plan costs allows. */
  public Interval interval() {
    boolean isSteady = act.review().approval() != Approval.NONE || decide.chew().isPresent();
    return decide
        .every()
        .or(() -> isSteady ? Optional.of(Interval.STEADY) : Optional.empty())
        .map(Interval::always)
        .orElse(Interval.SHORT);
  }

  /** The directory that heat is saved in. */
  public Path checkpoint() {
    return heat.checkpoint() == null ? journal.resolve("heat") : heat.checkpoint();
  }

  /** The directory of what shadow mode would have done. */
  public Path shadow() {
    return journal.resolve("shadow");
  }

  /** The directory of what moves brought and cost. */
  public Path savings() {
    return journal.resolve("savings");
  }

  /**
   * What several services share.
   *
   * @param journal its directory in HDFS; null: it is the local one
   * @param keep how old segments are at least that are deleted
   * @param election where it is decided which of them acts; null: this one does
   */
  public record Shared(URI journal, Duration keep, Leadership.Election election) {}

  /** Whether the service moves data, or only says what it would move. */
  public enum Mode {
    SHADOW,
    APPLY
  }

  /**
   * @param nameNode which NameNode or nameservice; null: fs.defaultFS of the configuration
   * @param configuration directory with core-site.xml and hdfs-site.xml; null: from the class
   *     path
   * @param segmentTables directory of the NameNode's segment tables; null: none
   * @param nodeAttributes file of node attributes, as the NameNode has it; null: none
   * @param kerberos who the service is where the cluster wants Kerberos; null: whoever started
   *     it
   * @param mover who does what needs the superuser; null: the service itself
   */
  public record Hdfs(
      URI nameNode,
      Path configuration,
      Path segmentTables,
      Path nodeAttributes,
      Keytab kerberos,
      MoverAt mover) {}

  /**
   * A mover that is a process of its own.
   *
   * @param socket where it listens
   * @param user of this host whose process that is
   */
  public record MoverAt(Path socket, String user) {}

  /**
   * @param auditLogs one for each NameNode
   * @param accesses what counts as one; without the service's own user and caller context
   * @param zone of the times in the logs
   * @param minCompleteness share of what happened, 0 to 1, that must stand in the logs for a
   *     plan
   * @param kafka topics with audit lines; null: none
   * @param clientTraceLogs of DataNodes; none: bytes and patterns of reads aren't known
   * @param image the first view of the files; null: listings
   */
  public record Observe(
      List<LogFile> auditLogs,
      LogStart start,
      Duration poll,
      AccessSettings accesses,
      ZoneId zone,
      double minCompleteness,
      Kafka kafka,
      List<LogGlob> clientTraceLogs,
      Image image) {}

  /**
   * @param nameservice whose NameNode writes it; null: the one of {@link Hdfs}
   * @param web of that NameNode; null: how complete the log is isn't measured
   */
  public record LogFile(String nameservice, Path path, URI web) {}

  /**
   * @param client what Kafka's consumer is given, bootstrap.servers and group.id among it
   * @param webs of the NameNodes whose lines the topics carry; none of a nameservice: how complete
   *     its lines are isn't measured
   */
  public record Kafka(List<Topic> topics, Map<String, String> client, List<Web> webs) {

    /** Whether it is known how complete the lines of all topics are. */
    public boolean isMeasured() {
      return topics.stream()
          .allMatch(
              topic ->
                  webs.stream()
                      .anyMatch(web -> Objects.equals(web.nameservice(), topic.nameservice())));
    }

    /** Without what may be a password. */
    @Override
    public String toString() {
      return "Kafka[topics=" + topics + ", client=" + client.keySet() + ", webs=" + webs + "]";
    }
  }

  /**
   * @param nameservice whose lines it carries; null: the one of {@link Hdfs}
   */
  public record Topic(String nameservice, String name) {}

  /**
   * @param nameservice of this NameNode; null: the one of {@link Hdfs}
   */
  public record Web(String nameservice, URI uri) {}

  /**
   * @param web of a NameNode that serves its image; null: it is in the file
   * @param file null: it is fetched
   * @param useFor how long plans are made from it
   */
  public record Image(URI web, Path file, Duration useFor) {}

  /**
   * @param checkpoint directory that heat is saved in, with the position in the logs; null: as
   *     {@link #checkpoint()} says
   */
  public record Learning(HeatSettings settings, Path checkpoint, Duration checkpointEvery) {}

  /**
   * @param paths below which files may be moved
   * @param maxFiles that are all held, with where they lie; of more, only what a plan can be
   *     about
   * @param ignore patterns of what isn't looked at
   * @param pin patterns of what stays where it is
   * @param override patterns of where storage policies that somebody set don't count
   * @param rules file of rules, in the place of ignore, pin and decide.caps; null: none
   */
  public record Manage(
      List<String> paths,
      int maxFiles,
      List<String> ignore,
      List<String> pin,
      List<String> override,
      Path rules) {}

  /** Where a type's threshold comes from. */
  public enum Thresholds {
    FIXED,
    LEARNED
  }

  /** Whether emptier storages are given what SUORA's number lines send there (SUORA, section 3.4.2). */
  public enum FillNewNodes {
    ON,
    OFF
  }

  /**
   * @param every from one plan to the next; empty: {@link ServiceConfig#interval} finds it
   * @param margin by how much hotter data must be than what it displaces
   * @param admission whether it is learned which files to promote, and used where that does better than thresholds
   * @param flashWritesPerDay bytes, of the types that have such a budget
   * @param actions that are taken beside moving copies
   * @param chew the patterns that targets are found by; empty: by thresholds
   * @param firstPart what of a directory's promotions goes first
   * @param fillNewNodes whether replicas are moved within a type to storages that are emptier than others
   */
  public record Decide(
      Optional<Duration> every,
      double margin,
      Thresholds thresholds,
      boolean admission,
      Promotion promotion,
      Map<StorageType, TierLimits> tiers,
      Benefit benefit,
      Stability stability,
      List<Cap> caps,
      Map<StorageType, Long> flashWritesPerDay,
      Budget budget,
      Actions actions,
      Optional<ChewConfig> chew,
      FirstParts.Settings firstPart,
      FillNewNodes fillNewNodes) {

    public boolean learnsThresholds() {
      return thresholds == Thresholds.LEARNED;
    }
  }

  /**
   * Caching and more replicas.
   *
   * @param pool of HDFS's centralised cache, where our directives are
   * @param ttl how long a directive holds
   * @param groups copies of small files that are read together; empty: none are made
   */
  public record Actions(
      ActionLimits limits, String pool, Duration ttl, Optional<GroupsConfig> groups) {
    static final Actions OFF =
        new Actions(ActionLimits.NONE, "thermocline", Duration.ofDays(1), Optional.empty());

    /** Without groups. */
    public Actions(ActionLimits limits, String pool, Duration ttl) {
      this(limits, pool, ttl, Optional.empty());
    }
  }

  /**
   * What a move must be worth.
   *
   * @param factor of its cost that it must save; 0 lets through whatever saves anything
   */
  public record Benefit(Duration horizon, double factor, Map<StorageType, TierSpeed> speeds) {}

  /** Who makes the moves: the service, or Hadoop's Storage Policy Satisfier. */
  public enum Mover {
    DIRECTED,
    SATISFIER
  }

  /**
   * What moves give way to.
   *
   * @param to files in HDFS that other movers hold while they run
   * @param lookEvery from one look at the cluster to the next
   * @param idle blocks a second, by clients, from which on nothing begins; 0: however many
   */
  public record Yielding(Set<String> to, Surroundings.Bounds bounds, Duration lookEvery, int idle) {

    /** Whether DataNodes are to be asked what clients read. */
    public boolean mindsClients() {
      return idle > 0 || !Double.isInfinite(bounds.readFactor());
    }
  }

  /**
   * @param windows when moves may begin
   * @param mutex path in HDFS of the file that keeps a second mover away
   * @param apply below these paths plans are carried out although the mode is shadow
   * @param excluded DataNodes that no copy goes to or comes from: hosts, hosts with ports, or UUIDs
   */
  public record Act(
      Mode mode,
      Mover backEnd,
      ActLimits limits,
      Pacing pacing,
      Windows windows,
      Yielding yielding,
      String mutex,
      Review review,
      List<String> apply,
      List<String> excluded) {

    /** Whether anything may be changed at all. */
    public boolean changes() {
      return mode == Mode.APPLY || !apply.isEmpty();
    }
  }

  /**
   * What a plan needs before it is carried out.
   *
   * @param within how long it may wait since it was made last
   */
  public record Review(Approval approval, Duration within) {}

  /** How many people must approve a plan. */
  public enum Approval {
    NONE,
    ONE,
    TWO;

    public int people() {
      return ordinal();
    }
  }

  /**
   * The REST interface.
   *
   * @param host of this one that it listens on; null: there is none
   * @param port 0: any that is free
   * @param security who may ask
   * @param settings what each key of the file comes to
   * @param hidden by key, a hash of each value that settings don't show
   * @param file that all of this was read from; null: from none
   */
  public record Api(
      String host,
      int port,
      Security security,
      List<ConfigResource.Setting> settings,
      Map<String, Integer> hidden,
      Path file) {

    /** Of no file. */
    public Api(String host, int port, Security security, List<ConfigResource.Setting> settings) {
      this(host, port, security, settings, Map.of(), null);
    }

    /** Settings are the rest in words: what they come to counts, not how the file says it. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Api api
          && Objects.equals(host, api.host)
          && port == api.port
          && Objects.equals(security, api.security);
    }

    @Override
    public int hashCode() {
      return Objects.hash(host, port, security);
    }
  }

  /**
   * How callers are known, and what each may do. With neither tokens nor Kerberos whoever is on the host may do
   * everything.
   *
   * @param tokens file of bearer tokens; null: none are taken
   * @param kerberos null: no tickets are taken
   * @param roles of users whose tickets are taken; a token bears its own
   * @param tls null: none
   * @param session how long a browser stays signed in
   * @param rates how much they may ask
   */
  public record Security(
      Path tokens,
      Keytab kerberos,
      Map<Role, Roles.Members> roles,
      KeyStore tls,
      Duration session,
      Rates rates) {

    public boolean isOn() {
      return tokens != null || kerberos != null;
    }
  }

  /**
   * What one may ask.
   *
   * @param caller requests a second of each who is known, by name
   * @param stranger the same of each address that shows nothing good
   * @param connections that an address may have open
   */
  public record Rates(int caller, int stranger, int connections) {}

  /** A principal, with {@code _HOST} for this host's name, and its keys. */
  public record Keytab(String principal, Path file) {}

  /**
   * A certificate with its key.
   *
   * @param password the file whose first line it is
   */
  public record KeyStore(Path file, Path password) {}
}
