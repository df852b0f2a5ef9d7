package net.sluice.rest.switches;

import java.util.List;
import java.util.Map;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonValue;

/** The switches of a host that is told of them at its start only. */
public final class FixedSwitches implements SwitchDeclarations {
  private final String how;

  /**
   * Switches that stay.
   *
   * @param how what a user could do instead, e.g. {@code a start with --network}
   */
  public FixedSwitches(String how) {
    this.how = how;
  }

  @Override
  public Map<String, byte[]> documents() {
    return Map.of();
  }

  @Override
  public boolean put(String name, JsonValue body, byte[] document, Requirement requirement)
      throws Refusal {
    throw refusal(name);
  }

  @Override
  public void delete(String name, Requirement requirement) throws Refusal {
    throw refusal(name);
  }

  private Refusal refusal(String name) {
    return new Refusal(
        List.of(
            new Problem(
                Problem.Code.CONFLICT,
                "switch",
                name,
                how,
                "The switches of this controller are given at its start; allowed: " + how + ".")));
  }
}
