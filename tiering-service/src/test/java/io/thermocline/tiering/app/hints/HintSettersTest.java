// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who has set a hint is known as long as it stands there. */
class HintSettersTest {

  private static final Set<String> NOBODY = Set.of();
  private static final Optional<Boolean> YES = Optional.of(true);
  private static final Optional<Boolean> NO = Optional.of(false);

  private final HintSetters setters = new HintSetters(2);

  @Test
  void whatAnotherSetIsntBelievedLater() {
    assertEquals(NO, setters.isOwner("1.pin", pin(1), Set.of("mallory")));
    assertEquals(NO, setters.isOwner("1.pin", pin(1), NOBODY));
    assertEquals(YES, setters.isOwner("1.pin", pin(2), Set.of("alice")));
    assertEquals(YES, setters.isOwner("1.pin", pin(2), NOBODY));
  }

  @Test
  void whatAnotherSetIsntItsOwnersWhoSetsSomethingElseBesideIt() {
    assertEquals(NO, setters.isOwner("1.pin", pin(1), Set.of("mallory")));
    assertEquals(NO, setters.isOwner("1.pin", pin(1), Set.of("alice")));
    setters.forget("1.pin");
    assertEquals(YES, setters.isOwner("1.pin", pin(1), Set.of("alice")), "removed, set anew");
  }

  @Test
  void whoSetsSomethingElseBesideItChangesNothing() {
    assertEquals(YES, setters.isOwner("1.pin", pin(1), Set.of("alice")));
    assertEquals(YES, setters.isOwner("1.pin", pin(1), Set.of("bob")));
    assertEquals(NO, setters.isOwner("1.pin", pin(2), Set.of("bob")));
  }

  @Test
  void whatNobodySawIsntSaid() {
    assertEquals(Optional.empty(), setters.isOwner("1.pin", pin(1), NOBODY));
    assertEquals(NO, setters.isOwner("1.pin", pin(1), Set.of("mallory")));
    assertEquals(Optional.empty(), setters.isOwner("1.pin", pin(2), NOBODY), "set unseen");
    setters.forget("1.pin");
    assertEquals(Optional.empty(), setters.isOwner("1.pin", pin(1), NOBODY));
  }

  @Test
  void soManyAreKept() {
    for (String id : new String[] {"1.pin", "2.pin", "3.pin"}) {
      setters.isOwner(id, pin(1), Set.of("mallory"));
    }
    assertEquals(Optional.empty(), setters.isOwner("1.pin", pin(1), NOBODY));
    assertEquals(NO, setters.isOwner("3.pin", pin(1), NOBODY));
  }

  private static Hint pin(long until) {
    return Hint.onFile(Operation.PIN, "/w/a").owner("alice").leaseExpiryMillis(until).build();
  }
}
