// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.comments.CommentLine;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** A file of YAML whose top is a mapping, for {@link YamlSection}. */
public final class YamlFile {

  /** Sections and lists within each other; each takes some frames of the stack. */
  static final int MAX_DEPTH = 32;

  /** Characters of a text that aliases may repeat: with them a few KiB would be many MiB. */
  static final int MAX_REPEATED = 1000;

  private YamlFile() {}

  /**
   * @throws ConfigException where it can't be read
   */
  public static String text(Path file) throws ConfigException {
    return text(file, RegularFiles::text);
  }

  /** Reads a file. */
  @FunctionalInterface
  public interface Read {
    String text(Path file) throws IOException;
  }

  /**
   * @throws ConfigException where it can't be read
   */
  public static String text(Path file, Read read) throws ConfigException {
    try {
      return read.text(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(List.of(file + ": no such file: correct the path"));
    } catch (CharacterCodingException e) {
      throw new ConfigException(List.of(file + ": is no UTF-8"));
    } catch (FileSystemException e) {
      String why = e.getReason() == null ? e.toString() : e.getReason();
      throw new ConfigException(List.of(file + ": cannot be read: " + why));
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
      node =
          new BoundedComposer(LoadSettings.builder().setLabel(label).build(), text).getSingleNode();
    } catch (BoundException e) {
      throw new ConfigException(List.of(label + place(e) + ": " + e.getProblem()));
    } catch (MarkedYamlEngineException e) {
      throw new ConfigException(List.of(label + place(e) + ": not YAML: " + e.getProblem()));
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

  private static String place(MarkedYamlEngineException e) {
    return e.getProblemMark()
        .map(mark -> ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1))
        .orElse("");
  }

  /** A text that is YAML, and more of it than is read. */
  private static final class BoundException extends MarkedYamlEngineException {

    private static final long serialVersionUID = 1;

    BoundException(String problem, Event event) {
      super(null, Optional.empty(), problem, event.getStartMark());
    }
  }

  /** Composes what is within the bounds; it recurses, so the depth is checked before each step down. */
  private static final class BoundedComposer extends Composer {

    private int depth;

    BoundedComposer(LoadSettings settings, String text) {
      super(settings, new ParserImpl(settings, new StreamReader(settings, text)));
    }

    @Override
    protected SequenceNode composeSequenceNode(Optional<Anchor> anchor) {
      enter();
      SequenceNode node = super.composeSequenceNode(anchor);
      depth--;
      return node;
    }

    @Override
    protected Node composeMappingNode(Optional<Anchor> anchor) {
      enter();
      Node node = super.composeMappingNode(anchor);
      depth--;
      return node;
    }

    @Override
    protected Node composeScalarNode(Optional<Anchor> anchor, List<CommentLine> comments) {
      if (anchor.isPresent()
          && parser.peekEvent() instanceof ScalarEvent scalar
          && scalar.getValue().length() > MAX_REPEATED) {
        throw new BoundException(
            "expected at most " + MAX_REPEATED + " characters in a text with an anchor", scalar);
      }
      return super.composeScalarNode(anchor, comments);
    }

    private void enter() {
      depth++;
      if (depth > MAX_DEPTH) {
        throw new BoundException(
            "expected at most " + MAX_DEPTH + " sections and lists within each other",
            parser.peekEvent());
      }
    }
  }
}
