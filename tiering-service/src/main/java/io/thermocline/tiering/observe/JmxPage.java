// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** The /jmx page of a NameNode's web server. Thread-safe. */
public final class JmxPage {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final URI web;
  private final HadoopWeb pages;

  /**
   * @param web for instance http://namenode:9870
   * @param conf of TLS and of the login
   */
  public JmxPage(URI web, Configuration conf) {
    this.web = web;
    this.pages = new HadoopWeb(conf, PATIENCE);
  }

  /**
   * The bean of this name.
   *
   * @throws IOException where the NameNode can't be asked, or has none
   */
  public JsonNode bean(String name) throws IOException {
    JsonNode bean = beans(name).path(0);
    if (bean.isMissingNode()) {
      throw new IOException(page(name) + " has no such bean: is that a NameNode?");
    }
    return bean;
  }

  /**
   * The beans of names like this one, with * for any text.
   *
   * @throws IOException where the NameNode can't be asked
   */
  public JsonNode beans(String name) throws IOException {
    return parse(pages.text(page(name))).path("beans");
  }

  /** Attributes of some beans are JSON as a text. */
  public JsonNode parse(String text) throws IOException {
    return MAPPER.readTree(text);
  }

  private URI page(String name) {
    return web.resolve("/jmx?qry=Hadoop:service=NameNode,name=" + name);
  }

  @Override
  public String toString() {
    return web + "/jmx";
  }
}
