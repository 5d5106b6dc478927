// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.app.ServiceConfigFile;
import io.thermocline.tiering.app.TieringService;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser, of a service on a real cluster whose files are being read. */
@Tag("cluster")
class DashboardTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final List<String> PAGES = List.of("Overview", "Heat", "Plans", "Hints", "Nodes");
  private static final Path PICTURES = Path.of("target", "dashboard");

  @TempDir private Path temp;

  @Test
  void isWhereAPersonSeesAndSteersTheService() throws Exception {
    String token = Tokens.draw(new SecureRandom());
    Path tokens =
        Files.writeString(
            temp.resolve("tokens"), Tokens.line("olga", Role.ADMINISTRATOR, token) + "\n");
    String address = "127.0.0.1:" + freePort();
    try (ServedCluster cluster =
            ServedCluster.start(temp, List.of(StorageType.SSD, StorageType.DISK));
        Browser browser = Browser.start(temp.resolve("browser"))) {
      cluster.write("/data/hot");
      cluster.write("/data/<b>odd</b>");
      Path config =
          cluster
              .setup("/data")
              .apply()
              .replace("approval: none", "approval: one")
              .replace("listen: 127.0.0.1:8480", "listen: " + address)
              .replace("# tokens: /etc/thermocline/tokens", "tokens: " + tokens)
              .write(Files.createDirectories(temp.resolve("service")));
      browser.size(1400, 1000);

      try (TieringService service = serve(config)) {
        browser.open("http://" + address + "/ui/");
        signsIn(browser, token);
        approvesAPlanAndTakesItBack(browser, cluster);
        pausesAndResumes(browser);
        showsEveryPageToEverybody(browser);
        signsInAgainWhenTheSessionEnds(browser, token);
        service.drain(LIMIT);
      }
      browser.click("Overview");
      browser.shows("the service does not answer");
      try (TieringService service = serve(config)) {
        // Its sessions ended with it.
        browser.shows("Sign in with a token");
        browser.type("Token", token);
        browser.click("Sign in");
        browser.shows("Audit lines");
        browser.showsNoMore("does not answer");
        service.drain(LIMIT);
      }
      assertEquals(List.of(), browser.errors());
    }
  }

  private static void signsIn(Browser browser, String token) throws Exception {
    browser.shows("Sign in with a token");
    browser.isAccessible("sign in");
    browser.type("Token", "wrong");
    browser.click("Sign in");
    browser.shows("the request shows an unknown token");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("Audit lines");
    browser.shows("apply · running");
  }

  private static void approvesAPlanAndTakesItBack(Browser browser, ServedCluster cluster)
      throws Exception {
    cluster.read("/data/hot", 10);
    browser.click("Plans");
    browser.shows("waiting");
    browser.click(newest(browser));
    browser.shows("/data/hot");
    browser.click("Approve");
    browser.shows("dry run");
    browser.shows("olga approves plan");
    browser.isAccessible("approval");
    browser.type("Why (is recorded)", "read by everybody");
    browser.click("Approve");
    browser.shows("olga: read by everybody");
    browser.shows("done");
    Eventually.holds("one copy on SSD", LIMIT, () -> cluster.has("/data/hot", 1, StorageType.SSD));
    browser.click("Undo");
    browser.shows("takes back plan");
    browser.type("Why (is recorded)", "the owners want it back");
    browser.click("Undo");
    browser.shows("taking back plan");
    Eventually.holds("back on DISK", LIMIT, () -> cluster.has("/data/hot", 3, StorageType.DISK));
  }

  /** The number of the plan on top. */
  private static String newest(Browser browser) {
    return browser.firstOf("tbody a");
  }

  private static void pausesAndResumes(Browser browser) {
    browser.click("Pause");
    browser.shows("pause: the service is RUNNING");
    browser.type("Why (is recorded)", "the network is slow");
    browser.click("Pause");
    browser.shows("apply · paused");
    browser.click("Overview");
    browser.shows("paused, olga: the network is slow");
    browser.click("Resume");
    browser.type("Why (is recorded)", "it is not any more");
    browser.click("Resume");
    browser.shows("apply · running");
  }

  private static void showsEveryPageToEverybody(Browser browser) throws Exception {
    for (boolean dark : new boolean[] {false, true}) {
      browser.dark(dark);
      for (String page : PAGES) {
        browser.click(page);
        browser.shows(page);
        browser.settled();
        browser.isAccessible(page + (dark ? " in dark" : " in light"));
        browser.picture(PICTURES.resolve(page + (dark ? "-dark.png" : ".png")));
      }
    }
    browser.dark(false);
    browser.size(400, 900);
    browser.click("Overview");
    browser.settled();
    browser.isAccessible("Overview on a phone");
    browser.picture(PICTURES.resolve("phone.png"));
    browser.size(1400, 1000);
  }

  private static void signsInAgainWhenTheSessionEnds(Browser browser, String token) {
    browser.click("Nodes");
    browser.shows("Live DataNodes");
    browser.click("Sign out");
    browser.shows("Sign in with a token");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("Live DataNodes");
    browser.forgetSession();
    browser.shows("Sign in with a token");
    browser.type("Token", token);
    browser.click("Sign in");
    browser.shows("Live DataNodes");
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static TieringService serve(Path config) throws Exception {
    return UserGroupInformation.createRemoteUser(ServiceProcess.USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(ServiceConfigFile.read(config), Seams.system()));
  }
}
