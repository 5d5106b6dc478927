// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice;

import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.ServerMetrics;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks DataNodes themselves how they are, through the /jmx page of their web servers: which needs no right
 * in HDFS, as asking the NameNode for its report does. Safe for any thread if its page source is.
 *
 * <p>Free RAM and processors are the host's, space is that of all storages together, the write latency is the
 * mean of block writes in the DataNode's last metrics period. A DataNode that doesn't answer has no
 * values.
 */
public final class DataNodeProbe {
  private static final String OPERATING_SYSTEM = "/jmx?qry=java.lang:type=OperatingSystem";
  private static final String SPACE = "/jmx?qry=Hadoop:service=DataNode,name=FSDatasetState*";
  private static final String ACTIVITY = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeActivity*";

  private final Pages pages;
  private final BiConsumer<Server, IOException> failed;

  /**
   * A probe.
   *
   * @param failed is told of each DataNode that didn't answer
   */
  public DataNodeProbe(Pages pages, BiConsumer<Server, IOException> failed) {
    this.pages = pages;
    this.failed = failed;
  }

  /**
   * Asks some servers of a table, one after the other.
   *
   * @return metrics by the table's numbers; of servers that weren't asked, only where they are
   */
  public ServerMetrics ask(ServerTable table, Collection<Server> servers) {
    List<Server> numbered = table.servers();
    ServerMetrics.Builder metrics = ServerMetrics.builder(numbered.size());
    for (int number = 0; number < numbered.size(); number++) {
      Server server = numbered.get(number);
      metrics.location(number, server.location());
      if (servers.contains(server)) {
        try {
          ask(server, number, metrics);
        } catch (IOException e) {
          failed.accept(server, e);
        }
      }
    }
    return metrics.build();
  }

  /**
   * Asks one server.
   *
   * @return its metrics, as those of number 0
   * @throws IOException if it doesn't answer; the function for failures isn't told
   */
  public ServerMetrics ask(Server server) throws IOException {
    ServerMetrics.Builder metrics = ServerMetrics.builder(1).location(0, server.location());
    ask(server, 0, metrics);
    return metrics.build();
  }

  private void ask(Server server, int number, ServerMetrics.Builder metrics) throws IOException {
    if (server.httpAddress().equals("-")) {
      throw new IOException(server + " has no web server");
    }
    String root =
        server.httpAddress().startsWith("https://")
            ? server.httpAddress()
            : "http://" + server.httpAddress();
    String system = pages.get(root + OPERATING_SYSTEM);
    metrics.set(
        Metric.MEMORY_FREE, number, either(system, "FreePhysicalMemorySize", "FreeMemorySize"));
    double cpu = either(system, "SystemCpuLoad", "CpuLoad");
    // The JVM says -1 where it can't tell.
    metrics.set(Metric.CPU_USED, number, cpu < 0 ? Double.NaN : cpu);
    String space = beanOf(server, pages.get(root + SPACE));
    double capacity = value(space, "Capacity");
    double remaining = value(space, "Remaining");
    if (capacity > 0) {
      metrics
          .set(Metric.DISK_CAPACITY, number, capacity)
          .set(Metric.DISK_REMAINING, number, remaining)
          .set(Metric.DISK_USED, number, 1 - remaining / capacity);
    }
    String activity = beanOf(server, pages.get(root + ACTIVITY));
    metrics.set(Metric.WRITE_LATENCY, number, value(activity, "WriteBlockOpAvgTime"));
  }

  /** The bean that names this DataNode, where a process has several; else the page. */
  private static String beanOf(Server server, String page) {
    for (String bean : page.split("\"name\" : ")) {
      String name = bean.substring(0, Math.max(0, bean.indexOf('\n')));
      if (name.contains(server.id()) || name.contains("-" + server.port())) {
        return bean;
      }
    }
    return page;
  }

  /** The older name is deprecated since Java 14, which has both. */
  private static double either(String page, String older, String newer) {
    double value = value(page, older);
    return Double.isNaN(value) ? value(page, newer) : value;
  }

  /** The page is JSON as Hadoop's servlet prints it: a name and a number on a line of their own. */
  private static double value(String page, String attribute) {
    Matcher matcher =
        Pattern.compile("\"" + attribute + "\" : (-?[0-9][0-9.]*(?:E-?[0-9]+)?)").matcher(page);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
  }
}
