// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;

/** What a service found last of the bytes that DataNodes served, in served.json beside its heat. Stateless. */
public final class ServedFile {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ServedFile() {}

  private record Written(double differenceShare, String until, String finding) {}

  /** In place of what was found before. */
  public static void write(Path directory, double differenceShare, Instant until, String finding)
      throws IOException {
    Path next = directory.resolve("served.json.next");
    PrivateFiles.write(
        next,
        (JSON.writeValueAsString(new Written(differenceShare, until.toString(), finding)) + "\n")
            .getBytes(StandardCharsets.UTF_8));
    Files.move(
        next,
        directory.resolve("served.json"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Empty where no service found anything yet. */
  public static Seen<Optional<Facts.Served>> read(Path directory) {
    Path file = directory.resolve("served.json");
    try {
      Written written = JSON.readValue(RegularFiles.bytes(file), Written.class);
      return Seen.of(
          Optional.of(
              new Facts.Served(written.differenceShare(), written.until(), written.finding())));
    } catch (NoSuchFileException e) {
      return Seen.of(Optional.empty());
    } catch (JsonProcessingException e) {
      return Seen.not(file + ": " + e.getOriginalMessage());
    } catch (IOException e) {
      return Seen.not(e.toString());
    }
  }
}
