// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.KeptFiles;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.observe.image.FirstView;
import io.thermocline.tiering.process.ServiceRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Where a plan's files come from: the NameNode's listings, or an image of its namespace kept up by the audit logs. */
final class NamespaceSource {

  private NamespaceSource() {}

  /** @param progress told of a long look at an image, in words */
  static ManagedFiles of(
      ServiceConfig config,
      DistributedFileSystem fileSystem,
      Configuration hadoop,
      Observing observing,
      RulesInForce rules,
      ServiceRuntime runtime,
      Consumer<String> progress) {
    HdfsReader reader = new HdfsReader(fileSystem.getClient());
    List<String> roots = config.manage().paths();
    Predicate<String> ignored = path -> rules.ruleSet().ignores(path);
    ServiceConfig.Image image = config.observe().image();
    if (image == null) {
      return ManagedFiles.listed(reader, roots, ignored);
    }
    Path scratch = config.journal().resolve("image");
    FirstView view =
        image.web() == null
            ? FirstView.of(image.file(), scratch, hadoop, runtime.nanos(), progress::accept)
            : FirstView.fetched(image.web(), scratch, hadoop, runtime.nanos(), progress::accept);
    KeptFiles kept = new KeptFiles(roots, ignored, runtime.clock());
    observing.tell(kept::accept);
    return ManagedFiles.fromImage(
        reader,
        roots,
        ignored,
        new ManagedFiles.Bootstrap(
            view, kept, observing::history, image.useFor(), runtime.nanos()));
  }
}
