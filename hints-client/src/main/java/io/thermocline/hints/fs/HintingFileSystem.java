// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.client.HintCounts;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;

/**
 * HDFS with hints, for applications that know nothing of them: files are created with the
 * storage policy that suits what the configuration says of their path, and the tiering service
 * is told. Safe for any thread, as HDFS is.
 *
 * <p>By {@code fs.hdfs.impl}, in place of HDFS's own class, or by {@code fs.<scheme>.impl} for a
 * scheme of its own, which names the same cluster: {@code tiered://nameservice1/a} is {@code
 * hdfs://nameservice1/a}.
 *
 * <p>Whatever goes wrong with hints is counted and left out, as if there were none, and the
 * application gets what HDFS itself answers; {@code thermocline.hints.strict} lets it see what
 * is wrong instead.
 */
public class HintingFileSystem extends DistributedFileSystem {
  // Why HDFS's class extended, and not one around it: applications ask whether they have HDFS by
  // its class, HBase for
  // the recovery of leases, Hive for encryption zones, and do without where they haven't. And an
  // own scheme needs no
  // translation of paths this way: HDFS takes any path that begins with getUri().

  /** What else a caller asks for, such as to append or RAM, is told HDFS as it is. */
  private static final EnumSet<CreateFlag> CREATES =
      EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);

  /** What becomes of directories above a new file that aren't there. */
  private enum Parents {
    MADE,
    /** They must be: else there is no file. */
    THERE
  }

  private URI uri;
  private FileHints hints;
  private OpenRedirect redirect;
  private GroupReads groups;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + name.getAuthority()), conf);
    try {
      uri = URI.create(name.getScheme() + "://" + name.getAuthority());
      setWorkingDirectory(getHomeDirectory());
      hints = FileHints.of(conf, UserGroupInformation.getCurrentUser().getShortUserName());
      redirect = hints.openRedirect(conf);
      hints.chooseFrom(this);
      hints.lookBy(getClient()::getFileInfo);
      groups = hints.groupReads(getClient());
    } catch (IOException | RuntimeException e) {
      super.close();
      throw e;
    }
  }

  @Override
  public URI getUri() {
    return uri == null ? super.getUri() : uri;
  }

  @Override
  public String getScheme() {
    return uri == null ? super.getScheme() : uri.getScheme();
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum)
      throws IOException {
    HdfsDataOutputStream ruled =
        createByRule(
            file,
            permission,
            flags,
            bufferSize,
            replication,
            blockSize,
            progress,
            checksum,
            Parents.MADE);
    if (ruled != null) {
      return ruled;
    }
    FSDataOutputStream out =
        super.create(
            file, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    hints.created(absolute(file), null);
    return out;
  }

  /** What {@code FileContext} calls. */
  @Override
  protected HdfsDataOutputStream primitiveCreate(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum)
      throws IOException {
    HdfsDataOutputStream ruled =
        createByRule(
            file,
            permission,
            flags,
            bufferSize,
            replication,
            blockSize,
            progress,
            checksum,
            Parents.MADE);
    if (ruled != null) {
      return ruled;
    }
    HdfsDataOutputStream out =
        super.primitiveCreate(
            file, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    hints.created(absolute(file), null);
    return out;
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    HdfsDataOutputStream ruled =
        createByRule(
            file,
            permission,
            flags,
            bufferSize,
            replication,
            blockSize,
            progress,
            null,
            Parents.THERE);
    if (ruled != null) {
      return ruled;
    }
    FSDataOutputStream out =
        super.createNonRecursive(
            file, permission, flags, bufferSize, replication, blockSize, progress);
    hints.created(absolute(file), null);
    return out;
  }

  /**
   * Null where no rule has a say in it, or it failed: whether for the rule or the file, HDFS
   * will say.
   */
  private HdfsDataOutputStream createByRule(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum,
      Parents parents)
      throws IOException {
    Path absolute = absolute(file);
    if (!CREATES.containsAll(flags)) {
      return null;
    }
    // Once: the queue may be another a moment later.
    String policy = hints.policyFor(absolute);
    HdfsDataOutputStreamBuilder builder = builderByRule(absolute, policy, replication);
    if (builder == null) {
      return null;
    }
    builder
        .create()
        .overwrite(flags.contains(CreateFlag.OVERWRITE))
        .bufferSize(bufferSize)
        .replication(replication)
        .blockSize(blockSize);
    builder = parents == Parents.MADE ? builder.recursive() : builder;
    // The builder takes no null for a default.
    builder = permission == null ? builder : builder.permission(permission);
    builder = checksum == null ? builder : builder.checksumOpt(checksum);
    builder = progress == null ? builder : builder.progress(progress);
    HdfsDataOutputStream out;
    try {
      out = (HdfsDataOutputStream) builder.build();
    } catch (IOException | RuntimeException e) {
      hints.failed("create of " + file, e);
      return null;
    }
    hints.created(absolute, policy);
    return out;
  }

  private HdfsDataOutputStreamBuilder builderByRule(Path absolute, String policy, int replication)
      throws IOException {
    InetSocketAddress[] favored = hints.serversFor(absolute, replication);
    if (policy == null && favored == null) {
      return null;
    }
    HdfsDataOutputStreamBuilder builder = super.createFile(absolute);
    builder = policy == null ? builder : builder.storagePolicyName(policy);
    return favored == null ? builder : builder.favoredNodes(favored);
  }

  @Override
  public HdfsDataOutputStreamBuilder createFile(Path file) {
    Path absolute = absolute(file);
    HdfsDataOutputStreamBuilder builder;
    String policy;
    try {
      policy = hints.policyFor(absolute);
      builder = builderByRule(absolute, policy, getDefaultReplication(absolute));
    } catch (IOException e) {
      throw new UncheckedIOException("only strict hints throw", e);
    }
    hints.toBeCreated(absolute, policy);
    return builder == null ? super.createFile(file) : builder;
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean renamed = super.rename(from, to);
    if (renamed) {
      hints.renamed(absolute(from), absolute(to));
    }
    return renamed;
  }

  /** What {@code FileContext} calls. */
  @Override
  @SuppressWarnings("deprecation")
  public void rename(Path from, Path to, Options.Rename... options) throws IOException {
    super.rename(from, to, options);
    hints.renamed(absolute(from), absolute(to));
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    Path absolute = absolute(file);
    Path target = absolute;
    FSDataInputStream in = null;
    try {
      target = redirect.target(absolute);
      if (target != null && !target.equals(absolute)) {
        in = super.open(target, bufferSize);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      hints.failed("open of " + file + " at " + target, e);
    }
    if (in == null) {
      in = super.open(file, bufferSize);
    }
    hints.order(absolute, in);
    hints.opened(absolute);
    return groups == null ? in : groups.open(in);
  }

  /** What became of the hints that were given; null where no service is configured. */
  public HintCounts hintCounts() {
    return hints.client() == null ? null : hints.client().counts();
  }

  /** Opens that were served from group files. */
  public long groupReads() {
    return groups == null ? 0 : groups.redirected();
  }

  /** How often something went wrong with hints, and was left out. */
  public long hintFailures() {
    return hints.failures();
  }

  @Override
  public void close() throws IOException {
    try {
      if (groups != null) {
        groups.close();
      }
      if (hints != null) {
        hints.close();
      }
    } finally {
      super.close();
    }
  }

  private Path absolute(Path file) {
    return fixRelativePart(file);
  }
}
