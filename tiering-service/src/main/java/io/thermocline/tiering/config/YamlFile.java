// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** A file of YAML whose top is a mapping, for {@link YamlSection}. */
public final class YamlFile {

  private YamlFile() {}

  /**
   * @throws ConfigException where it can't be read
   */
  public static String text(Path file) throws ConfigException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(List.of(file + ": no such file"));
    } catch (CharacterCodingException e) {
      throw new ConfigException(List.of(file + ": is no UTF-8"));
    } catch (IOException e) {
      throw new ConfigException(List.of(file + ": cannot be read: " + e));
    }
  }

  /**
   * Null where it is empty.
   *
   * @param label the file's name, for places in it
   * @throws ConfigException where it is no YAML, or no mapping
   */
  static MappingNode compose(String label, String text) throws ConfigException {
    Optional<Node> node;
    try {
      node = new Compose(LoadSettings.builder().setLabel(label).build()).composeString(text);
    } catch (MarkedYamlEngineException e) {
      String place =
          e.getProblemMark()
              .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
              .orElse("");
      throw new ConfigException(List.of(label + place + ": not YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      throw new ConfigException(List.of(label + ": not YAML: " + e.getMessage()));
    }
    if (node.isEmpty()) {
      return null;
    }
    if (node.get() instanceof MappingNode mapping) {
      return mapping;
    }
    throw new ConfigException(List.of(label + ": expected sections like 'observe:' at the top"));
  }
}
