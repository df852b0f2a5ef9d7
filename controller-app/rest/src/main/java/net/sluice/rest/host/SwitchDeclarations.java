package net.sluice.rest.host;

import java.util.Map;
import java.util.Optional;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonValue;

/** The switches that a host lets be declared over the API. Thread-safe. */
public interface SwitchDeclarations {
  /** The documents of the switches, by name; none for those that were given otherwise. */
  Map<String, byte[]> documents();

  /** A requirement of the one who changes a declaration. */
  interface Requirement {
    /**
     * Looks at the document that is declared when the change is made; empty if there is none.
     *
     * @throws Refusal if the change is not to be made of that
     */
    void check(Optional<byte[]> document) throws Refusal;
  }

  /**
   * Declares a switch, or declares it otherwise.
   *
   * @param body what is declared, as a value and as it was sent
   * @param requirement nobody changes the declaration between its look at it and this change
   * @return true if there was none of that name
   * @throws Refusal if it cannot be; nothing has changed
   */
  boolean put(String name, JsonValue body, byte[] document, Requirement requirement) throws Refusal;

  /**
   * Takes a declaration back.
   *
   * @param requirement as above
   * @throws Refusal if there is no such switch, or it is in use
   */
  void delete(String name, Requirement requirement) throws Refusal;
}
