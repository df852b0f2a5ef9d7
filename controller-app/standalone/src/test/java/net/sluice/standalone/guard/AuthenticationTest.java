package net.sluice.standalone.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import net.sluice.northbound.caller.Role;
import net.sluice.standalone.http.TestTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The role of a caller by now. */
final class AuthenticationTest {
  @Test
  void whoHasAnotherRoleOrIsNoCallerAnyMoreIsToldSo(@TempDir Path folder) throws Exception {
    TestTokens tokens = new TestTokens(folder);
    tokens.set("portal", "admin");
    Authentication callers = tokens.authentication();
    assertThat(callers.whyNot("portal", Role.ADMIN)).isEmpty();
    tokens.set("portal", "operate");
    assertThat(callers.whyNot("portal", Role.ADMIN))
        .contains("portal has role operate by now; this needs admin");
    assertThat(callers.whyNot("portal", Role.READ)).isEmpty();
    tokens.set();
    assertThat(callers.whyNot("portal", Role.READ)).contains("portal is no caller any more");
  }
}
