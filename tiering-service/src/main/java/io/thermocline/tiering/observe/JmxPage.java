// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** The /jmx page of the web server of a NameNode, or a DataNode. Thread-safe. */
public final class JmxPage {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final URI web;
  private final HadoopWeb pages;
  private final String service;

  /**
   * @param web for instance http://namenode:9870
   * @param conf of TLS and of the login
   */
  public JmxPage(URI web, Configuration conf) {
    this(web, new HadoopWeb(conf, PATIENCE), "NameNode");
  }

  private JmxPage(URI web, HadoopWeb pages, String service) {
    this.web = web;
    this.pages = pages;
    this.service = service;
  }

  /**
   * Of a DataNode.
   *
   * @param pages how it is asked, which pages of many DataNodes may share
   */
  public static JmxPage ofDataNode(URI web, HadoopWeb pages) {
    return new JmxPage(web, pages, "DataNode");
  }

  /**
   * The bean of this name.
   *
   * @throws IOException where it can't be asked, or has none
   */
  public JsonNode bean(String name) throws IOException {
    JsonNode bean = beans(name).path(0);
    if (bean.isMissingNode()) {
      throw new IOException(page(name) + " has no such bean: is that a " + service + "?");
    }
    return bean;
  }

  /**
   * The beans of names like this one, with * for any text.
   *
   * @throws IOException where it can't be asked
   */
  public JsonNode beans(String name) throws IOException {
    return parse(pages.text(page(name))).path("beans");
  }

  /**
   * One attribute of a bean, without its other ones; missing where there is none.
   *
   * @throws IOException where it can't be asked
   */
  JsonNode attribute(String bean, String attribute) throws IOException {
    String query = "/jmx?get=Hadoop:service=" + service + ",name=" + bean + "::" + attribute;
    return parse(pages.text(web.resolve(query))).path("beans").path(0).path(attribute);
  }

  /** Attributes of some beans are JSON as a text. */
  public JsonNode parse(String text) throws IOException {
    return MAPPER.readTree(text);
  }

  private URI page(String name) {
    return web.resolve("/jmx?qry=Hadoop:service=" + service + ",name=" + name);
  }

  @Override
  public String toString() {
    return web + "/jmx";
  }
}
