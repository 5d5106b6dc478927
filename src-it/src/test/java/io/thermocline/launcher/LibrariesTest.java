// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Each library has its licence and its reason in docs/decisions/0008-libraries.md. */
class LibrariesTest {

  private static final Pattern ARTIFACT = Pattern.compile("`([\\w.-]+:[\\w.-]+)`");

  @Test
  void everyDependencyHasALicenceAndAReason() throws Exception {
    Set<String> told = new TreeSet<>();
    for (String line :
        Files.readAllLines(Launched.ROOT.resolve("docs/decisions/0008-libraries.md"))) {
      Matcher artifact = ARTIFACT.matcher(line);
      while (artifact.find()) {
        String[] cells = line.split("\\|");
        assertTrue(cells.length == 5 && !cells[2].isBlank() && cells[3].length() > 10, line);
        assertTrue(told.add(artifact.group(1)), () -> artifact.group(1) + " stands twice");
      }
    }

    assertEquals(dependencies(), told);
  }

  /** Of all modules, but for ours among them. */
  private static Set<String> dependencies() throws Exception {
    Set<String> all = new TreeSet<>();
    XPath path = XPathFactory.newInstance().newXPath();
    List<Path> modules;
    try (Stream<Path> files = Files.list(Launched.ROOT)) {
      modules =
          files.map(module -> module.resolve("pom.xml")).filter(Files::isRegularFile).toList();
    }
    for (Path pom : modules) {
      Document document =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
      NodeList found =
          (NodeList)
              path.evaluate("/project/dependencies/dependency", document, XPathConstants.NODESET);
      for (int i = 0; i < found.getLength(); i++) {
        String group = path.evaluate("groupId", found.item(i));
        if (!group.equals("io.thermocline")) {
          all.add(group + ":" + path.evaluate("artifactId", found.item(i)));
        }
      }
    }
    return all;
  }
}
