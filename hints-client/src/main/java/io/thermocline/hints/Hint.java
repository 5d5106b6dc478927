// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What is said about data by those who know: an operation on a file, a directory or a stream,
 * the expected use, and a requirement in place of a device (HintStor, thesis chapter 2).
 * Immutable.
 *
 * <p>A hint holds for the length of a lease, after which it is as if never given: applications
 * end without saying so, and advice outlives its truth. It is advice: nothing promises that it
 * is followed.
 */
public final class Hint {

  /** Most characters of a path: what HDFS itself allows. */
  public static final int MAX_PATH_LENGTH = 8000;

  /** Most characters of a stream tag and of an owner. */
  public static final int MAX_NAME_LENGTH = 255;

  private final Operation operation;
  private final Scope scope;
  private final String target;
  private final AccessPattern pattern;
  private final Requirement requirement;
  private final Temperature temperature;
  private final String stream;
  private final String owner;
  private final Source source;
  private final long startMillis;
  private final long leaseExpiryMillis;

  private Hint(Builder builder) {
    operation = present("operation", builder.operation);
    scope = present("scope", builder.scope);
    pattern = present("pattern", builder.pattern);
    requirement = present("requirement", builder.requirement);
    temperature = present("temperature", builder.temperature);
    target =
        scope == Scope.STREAM
            ? checkName("stream tag", builder.target)
            : checkPath(scope, builder.target);
    if (scope == Scope.STREAM && builder.stream != null) {
      throw invalid("stream", builder.stream, "none: a hint on a stream has its tag as the target");
    }
    stream =
        scope == Scope.STREAM
            ? target
            : builder.stream == null ? null : checkName("stream tag", builder.stream);
    owner = checkName("owner", builder.owner);
    source = present("source", builder.source);
    leaseExpiryMillis = builder.leaseExpiryMillis;
    if (leaseExpiryMillis <= 0) {
      throw invalid(
          "lease expiry", leaseExpiryMillis, "a point in time after 1970, in epoch milliseconds");
    }
    startMillis = builder.startMillis;
    if (startMillis < 0 || startMillis >= leaseExpiryMillis) {
      throw invalid("start", startMillis, "a point in time before the lease ends, or 0: at once");
    }
  }

  /** A hint about one file. */
  public static Builder onFile(Operation operation, String path) {
    return new Builder(operation, Scope.FILE, path);
  }

  /** A hint about all files below a directory, those to come included. */
  public static Builder onDirectory(Operation operation, String path) {
    return new Builder(operation, Scope.DIRECTORY, path);
  }

  /** A hint about all files of a stream. */
  public static Builder onStream(Operation operation, String tag) {
    return new Builder(operation, Scope.STREAM, tag);
  }

  /** As the three above, where the scope is a value. */
  public static Builder on(Scope scope, Operation operation, String target) {
    return new Builder(operation, scope, target);
  }

  public Operation operation() {
    return operation;
  }

  public Scope scope() {
    return scope;
  }

  /**
   * The absolute path in normal form ({@link Scope#FILE}, {@link Scope#DIRECTORY}) or the stream
   * tag ({@link Scope#STREAM}).
   */
  public String target() {
    return target;
  }

  public AccessPattern pattern() {
    return pattern;
  }

  public Requirement requirement() {
    return requirement;
  }

  /**
   * What it asks of the storage: the requirement, or, where it has none, what follows from what is expected (thesis,
   * 2.4.2).
   */
  public Requirement need() {
    if (requirement != Requirement.NONE) {
      return requirement;
    }
    switch (temperature) {
      case HOT:
        return Requirement.LOW_LATENCY;
      case COLD:
        return Requirement.CHEAP;
      case WARM:
        return Requirement.NONE;
      default:
        return pattern.need();
    }
  }

  public Temperature temperature() {
    return temperature;
  }

  /**
   * The tag of the stream that the target belongs to, which makes an enhanced stream ID with the
   * pattern (thesis, figure 2.7); the target itself where that is a stream; null for none.
   */
  public String stream() {
    return stream;
  }

  /** The user who gave the hint, and who is asked when it turns out wrong. */
  public String owner() {
    return owner;
  }

  public Source source() {
    return source;
  }

  /** When the hint begins to hold, in epoch milliseconds; 0 where it holds from when it is given. */
  public long startMillis() {
    return startMillis;
  }

  /** Whether the hint has begun to hold by this time, in epoch milliseconds. */
  public boolean hasBegun(long nowMillis) {
    return nowMillis >= startMillis;
  }

  /** When the lease ends, in epoch milliseconds. */
  public long leaseExpiryMillis() {
    return leaseExpiryMillis;
  }

  /** Whether the lease hasn't ended at this time, in epoch milliseconds. */
  public boolean isInForce(long nowMillis) {
    return nowMillis < leaseExpiryMillis;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Hint)) {
      return false;
    }
    Hint that = (Hint) other;
    return operation == that.operation
        && scope == that.scope
        && target.equals(that.target)
        && pattern == that.pattern
        && requirement == that.requirement
        && temperature == that.temperature
        && Objects.equals(stream, that.stream)
        && owner.equals(that.owner)
        && source == that.source
        && startMillis == that.startMillis
        && leaseExpiryMillis == that.leaseExpiryMillis;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        operation,
        scope,
        target,
        pattern,
        requirement,
        temperature,
        stream,
        owner,
        source,
        startMillis,
        leaseExpiryMillis);
  }

  @Override
  public String toString() {
    return operation
        + " "
        + scope
        + " "
        + target
        + " (pattern "
        + pattern
        + ", requirement "
        + requirement
        + ", temperature "
        + temperature
        + (stream == null ? "" : ", stream " + stream)
        + ", owner "
        + owner
        + ", source "
        + source
        + (startMillis == 0 ? "" : ", from " + startMillis)
        + ", until "
        + leaseExpiryMillis
        + ")";
  }

  private static <T> T present(String field, T value) {
    if (value == null) {
      throw invalid(field, null, "a value");
    }
    return value;
  }

  /** One spelling per path, so that two hints on one file are seen to be on one file. */
  private static String checkPath(Scope scope, String path) {
    if (path == null || !path.startsWith("/")) {
      throw invalid("path", path, "an absolute path, such as /warehouse/orders");
    }
    if (path.length() > MAX_PATH_LENGTH) {
      throw invalid("path", path, "at most " + MAX_PATH_LENGTH + " characters");
    }
    checkEncodable("path", path);
    if (path.equals("/")) {
      if (scope == Scope.FILE) {
        throw invalid("path", path, "the path of a file; the root is a directory");
      }
      return path;
    }
    for (String name : path.substring(1).split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        throw invalid("path", path, "a path in normal form: no empty name, no '.', no '..'");
      }
    }
    return path;
  }

  private static String checkName(String field, String name) {
    if (name == null || name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
      throw invalid(field, name, "1 to " + MAX_NAME_LENGTH + " characters");
    }
    checkEncodable(field, name);
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw invalid(field, name, "no control character");
      }
    }
    return name;
  }

  /** Half a surrogate pair has no UTF-8 form: it would come back as another name. */
  private static void checkEncodable(String field, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw invalid(field, text, "text that UTF-8 can express: an unpaired surrogate was found");
    }
  }

  private static IllegalArgumentException invalid(String field, Object value, String allowed) {
    String shown = String.valueOf(value);
    if (shown.length() > 80) {
      shown = shown.substring(0, 80) + "... (" + shown.length() + " characters)";
    }
    return new IllegalArgumentException(
        "hint: " + field + " is '" + shown + "'; allowed: " + allowed);
  }

  /**
   * Collects the fields of a hint; {@link #build} validates them. Owner and lease have no
   * default.
   */
  public static final class Builder {
    private final Operation operation;
    private final Scope scope;
    private final String target;
    private AccessPattern pattern = AccessPattern.UNKNOWN;
    private Requirement requirement = Requirement.NONE;
    private Temperature temperature = Temperature.UNKNOWN;
    private String stream;
    private String owner;
    private Source source = Source.APPLICATION;
    private long startMillis;
    private long leaseExpiryMillis;

    private Builder(Operation operation, Scope scope, String target) {
      this.operation = operation;
      this.scope = scope;
      this.target = target;
    }

    public Builder pattern(AccessPattern expected) {
      pattern = expected;
      return this;
    }

    public Builder requirement(Requirement needed) {
      requirement = needed;
      return this;
    }

    public Builder temperature(Temperature expected) {
      temperature = expected;
      return this;
    }

    /**
     * @param tag of the stream that the file, or all files below the directory, belong to
     */
    public Builder stream(String tag) {
      stream = tag;
      return this;
    }

    public Builder owner(String user) {
      owner = user;
      return this;
    }

    public Builder source(Source givenBy) {
      source = givenBy;
      return this;
    }

    /**
     * @param epochMillis when the hint begins to hold, in epoch milliseconds; 0: when it is given
     */
    public Builder startMillis(long epochMillis) {
      startMillis = epochMillis;
      return this;
    }

    /**
     * @param epochMillis when the hint ends to hold, in epoch milliseconds
     */
    public Builder leaseExpiryMillis(long epochMillis) {
      leaseExpiryMillis = epochMillis;
      return this;
    }

    /**
     * @throws IllegalArgumentException naming the first field that is missing or not allowed,
     *     its value, and what is allowed
     */
    public Hint build() {
      return new Hint(this);
    }
  }
}
