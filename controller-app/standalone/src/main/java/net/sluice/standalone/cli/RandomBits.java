package net.sluice.standalone.cli;

import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.InvalidValueException;
import picocli.CommandLine.ITypeConverter;

/** Reads how many random bits the marker uses. */
public final class RandomBits implements ITypeConverter<RandomRates> {
  @Override
  public RandomRates convert(String text) {
    try {
      return RandomRates.ofBits(Integer.parseInt(text.strip()));
    } catch (NumberFormatException | InvalidValueException e) {
      throw new NotAllowed("8 or 16");
    }
  }
}
