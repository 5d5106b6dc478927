// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, roles and sessions by themselves. */
class TokensTest {

  private final SecureRandom random = new SecureRandom();
  private final String token = Tokens.draw(random);

  @TempDir Path directory;

  @Test
  void knowsTheTokensOfItsFileAndNoOther() throws IOException {
    Path file =
        write("# who may", "", Tokens.line("ops", Role.OPERATOR, token), other(Role.VIEWER));

    Tokens tokens = Tokens.read(file);

    assertEquals(Optional.of(new Caller("ops", Role.OPERATOR)), tokens.of(token));
    assertEquals(Optional.empty(), tokens.of(token.substring(1)));
    assertEquals(Optional.empty(), tokens.of(""));
    assertFalse(Files.readString(file).contains(token), "the file holds no token");
  }

  @Test
  void namesEveryWrongLineWithoutShowingIt() throws IOException {
    String digest = Tokens.line("x", Role.VIEWER, token).split(" ")[2];
    Path file =
        write(
            Tokens.line("ops", Role.OPERATOR, token),
            "bob root " + digest,
            "eve viewer",
            "joe viewer " + token);

    IOException refused = assertThrows(IOException.class, () -> Tokens.read(file));

    assertTrue(
        refused.getMessage().matches("(?s).*line 2 .*line 3 .*line 4 .*"), refused::getMessage);
    assertFalse(refused.getMessage().contains("line 1 "), refused::getMessage);
    assertFalse(refused.getMessage().contains(token), "somebody pasted a token");
    assertTrue(
        refused.getMessage().contains("viewer, operator, administrator"), refused::getMessage);
  }

  @Test
  void letsNobodyInWithAFileThatBecameWrong() throws IOException {
    Path file = write(Tokens.line("ops", Role.OPERATOR, token));
    TokenFile tokens = new TokenFile(file);
    assertTrue(tokens.of(token).isPresent());

    Files.writeString(file, "ops operator");
    assertTrue(tokens.of(token).isEmpty());
    Files.delete(file);
    assertTrue(tokens.of(token).isEmpty());
    write(Tokens.line("ops", Role.ADMINISTRATOR, token));
    assertEquals(Optional.of(new Caller("ops", Role.ADMINISTRATOR)), tokens.of(token));
    write(other(Role.VIEWER));
    assertTrue(tokens.of(token).isEmpty(), "taken out");
  }

  @Test
  void givesTheHighestRoleOfAUserAndOfTheirGroups() {
    Roles roles =
        new Roles(
            Map.of(
                Role.VIEWER, new Roles.Members(Set.of("bob", "ann"), Set.of("staff")),
                Role.OPERATOR, new Roles.Members(Set.of(), Set.of("ops")),
                Role.ADMINISTRATOR, new Roles.Members(Set.of("ann"), Set.of())),
            user -> user.equals("carl") ? List.of("ops", "staff") : List.of());

    assertEquals(Optional.of(Role.VIEWER), roles.of("bob"));
    assertEquals(Optional.of(Role.ADMINISTRATOR), roles.of("ann"));
    assertEquals(Optional.of(Role.OPERATOR), roles.of("carl"));
    assertEquals(Optional.empty(), roles.of("eve"));
  }

  @Test
  void endsASessionInTimeOrWhenTold() {
    Instant[] now = {Instant.EPOCH};
    Clock clock = clock(now);
    Sessions sessions = new Sessions(clock, random, Duration.ofHours(8));
    Caller ann = new Caller("ann", Role.VIEWER);
    String first = sessions.begin(ann, () -> Optional.of(ann));
    now[0] = now[0].plus(Duration.ofHours(4));
    String second = sessions.begin(ann, () -> Optional.of(ann));

    now[0] = now[0].plus(Duration.ofHours(4));
    assertEquals(Optional.empty(), sessions.of(first), "eight hours");
    assertEquals(Optional.of(ann), sessions.of(second));
    sessions.end(second);
    assertEquals(Optional.empty(), sessions.of(second));
  }

  @Test
  void aSessionIsNobodysWhileItsTokenIsGoneOrHasAnotherRole() throws IOException {
    String second = Tokens.draw(random);
    Path file =
        write(Tokens.line("ops", Role.OPERATOR, token), Tokens.line("ann", Role.VIEWER, second));
    TokenFile tokens = new TokenFile(file);
    Sessions sessions =
        new Sessions(clock(new Instant[] {Instant.EPOCH}), random, Duration.ofHours(8));
    String ofOps = sessions.begin(tokens.of(token).orElseThrow(), tokens.holder(token));
    String ofAnn = sessions.begin(tokens.of(second).orElseThrow(), tokens.holder(second));
    assertEquals("ops", sessions.of(ofOps).orElseThrow().name());

    write(
        Tokens.line("ops", Role.VIEWER, token),
        Tokens.line("ann", Role.VIEWER, second),
        other(Role.VIEWER));
    assertEquals(Optional.empty(), sessions.of(ofOps), "has another role");
    assertEquals("ann", sessions.of(ofAnn).orElseThrow().name(), "as before");
    write(Tokens.line("ops", Role.OPERATOR, token));
    assertEquals(Optional.empty(), sessions.of(ofAnn), "taken out");
    assertEquals("ops", sessions.of(ofOps).orElseThrow().name(), "as good as its token");
  }

  @Test
  void aFileThatCannotBeReadForAWhileEndsNoSession() throws IOException {
    Path file = write(Tokens.line("ops", Role.OPERATOR, token));
    TokenFile tokens = new TokenFile(file);
    Sessions sessions =
        new Sessions(clock(new Instant[] {Instant.EPOCH}), random, Duration.ofHours(8));
    String session = sessions.begin(tokens.of(token).orElseThrow(), tokens.holder(token));
    String good = Files.readString(file);

    Files.writeString(file, good.substring(0, good.length() / 2));
    assertEquals(Optional.empty(), sessions.of(session), "half written");
    Files.writeString(file, good);
    assertEquals("ops", sessions.of(session).orElseThrow().name());
  }

  @Test
  void readsAgainWhatLooksAsItDidWhenItCouldNotBeRead() throws IOException {
    Path file = write(Tokens.line("ops", Role.OPERATOR, token));
    TokenFile tokens = new TokenFile(file);
    String good = Files.readString(file);
    FileTime then = FileTime.from(Instant.parse("2026-11-20T10:00:00Z"));

    Files.writeString(file, "x".repeat(good.length()));
    Files.setLastModifiedTime(file, then);
    assertTrue(tokens.of(token).isEmpty());
    // As chmod does it: size, time and file stay the same.
    Files.writeString(file, good);
    Files.setLastModifiedTime(file, then);
    assertEquals(Optional.of(new Caller("ops", Role.OPERATOR)), tokens.of(token));
  }

  @Test
  void keepsABoundedNumberOfSessions() {
    Sessions sessions =
        new Sessions(clock(new Instant[] {Instant.EPOCH}), random, Duration.ofHours(1));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 1001; i++) {
      Caller user = new Caller("user" + i, Role.VIEWER);
      ids.add(sessions.begin(user, () -> Optional.of(user)));
    }
    assertTrue(sessions.of(ids.get(0)).isEmpty());
    assertEquals("user1", sessions.of(ids.get(1)).orElseThrow().name());
    assertEquals("user1000", sessions.of(ids.get(1000)).orElseThrow().name());
  }

  @Test
  void oneCallersSessionsPushOutTheirOwnAndNobodyElses() {
    Sessions sessions =
        new Sessions(clock(new Instant[] {Instant.EPOCH}), random, Duration.ofHours(1));
    Caller bob = new Caller("bob", Role.VIEWER);
    String bobs = sessions.begin(bob, () -> Optional.of(bob));
    Caller ann = new Caller("ann", Role.VIEWER);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      ids.add(sessions.begin(ann, () -> Optional.of(ann)));
    }
    assertEquals(
        ids.subList(1980, 2000),
        ids.stream().filter(id -> sessions.of(id).isPresent()).toList(),
        "the last 20");
    assertEquals(Optional.of(bob), sessions.of(bobs));
  }

  private String other(Role role) {
    return Tokens.line("other", role, Tokens.draw(random));
  }

  private Path write(String... lines) throws IOException {
    return Files.write(directory.resolve("tokens"), List.of(lines));
  }

  private static Clock clock(Instant[] now) {
    return ((InstantSource) () -> now[0]).withZone(ZoneOffset.UTC);
  }
}
