// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.image.ImageCheckpoint;
import io.thermocline.tiering.observe.image.ImageFile;
import io.thermocline.tiering.observe.image.ImageReader;
import io.thermocline.tiering.observe.image.NamespaceImage;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import io.thermocline.tiering.sim.trace.AuditLogReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator's traces of audit logs have their files' sizes from an image. */
class AuditLogSizesTest {

  private static final long OTHERWISE = 17;

  @TempDir private Path directory;

  private static String line(int second, String command, String source, String destination) {
    return ("2026-11-20 10:00:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/10.0.0.1\tcmd=%s"
            + "\tsrc=%s\tdst=%s\tperm=null\n")
        .formatted(second, command, source, destination);
  }

  @Test
  void sizesAreThoseOfTheLastName() throws IOException {
    Path image = directory.resolve("fsimage_1");
    GeneratedImage.write(image, 200, 1, null);
    List<ImageFile> files = new ArrayList<>();
    try (ImageReader reader =
        NamespaceImage.open(image, new Configuration())
            .reader(ImageCheckpoint.beginning(), () -> 0)) {
      reader.poll(files::add, Integer.MAX_VALUE);
    }
    ImageFile still = files.get(0);
    ImageFile renamed = files.get(1);
    Path log =
        Files.writeString(
            directory.resolve("hdfs-audit.log"),
            line(1, "open", still.path(), "null")
                + line(2, "open", "/staging/x", "null")
                + line(3, "rename", "/staging/x", renamed.path())
                + line(4, "open", "/gone", "null")
                + line(5, "delete", "/gone", "null"));

    Trace trace =
        AuditLogReader.read(
            List.of(log),
            new AuditLogReader.Sizes(image, OTHERWISE),
            AccessSettings.defaults(AccessSettings.Ignored.nothing()),
            ZoneOffset.UTC,
            () -> 0);

    assertEquals(
        List.of(
            new TracedFile(still.path(), still.length()),
            new TracedFile("/staging/x", renamed.length()),
            new TracedFile("/gone", OTHERWISE)),
        trace.files());
    assertEquals(files.size() - 2, trace.happened().others().size());
  }
}
