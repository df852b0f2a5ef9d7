package net.sluice.core.declaration;

/**
 * How far the change of a tariff is.
 *
 * @param tariffId its id
 * @param subscribers those under it that are planned anew
 * @param of all under it
 */
public record TariffProgress(String tariffId, int subscribers, int of) {
  /** Both together, of the same tariff at two switches. */
  public TariffProgress plus(TariffProgress other) {
    return new TariffProgress(tariffId, subscribers + other.subscribers, of + other.of);
  }
}
