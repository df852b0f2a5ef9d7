package net.sluice.rest;

import java.util.Map;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.JsonValue;

/** The switches that a host lets be declared over the API. Thread-safe. */
public interface SwitchDeclarations {
  /** The documents of the switches, by name; none for those that were given otherwise. */
  Map<String, byte[]> documents();

  /**
   * Declares a switch, or declares it otherwise.
   *
   * @param body what is declared, as a value and as it was sent
   * @return true if there was none of that name
   * @throws Refusal if it cannot be; nothing has changed
   */
  boolean put(String name, JsonValue body, byte[] document) throws Refusal;

  /**
   * Takes a declaration back.
   *
   * @throws Refusal if there is no such switch, or it is in use
   */
  void delete(String name) throws Refusal;
}
