package net.sluice.standalone.network;

import net.sluice.cli.InvalidOption;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.value.InvalidValueException;
import picocli.CommandLine.ITypeConverter;

/** Reads how many random bits the marker uses. */
public final class RandomBits implements ITypeConverter<RandomRates> {
  @Override
  public RandomRates convert(String text) {
    try {
      return RandomRates.ofBits(Integer.parseInt(text.strip()));
    } catch (NumberFormatException | InvalidValueException e) {
      throw new InvalidOption("8 or 16");
    }
  }
}
