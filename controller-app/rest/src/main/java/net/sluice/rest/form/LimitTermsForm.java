package net.sluice.rest.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.LimitTerms.Holding;
import net.sluice.intents.model.LimitTerms.Rates;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.rest.json.ObjectReader;

/**
 * {@code "suspended": true} and {@code "schedule"} of {@link ScheduleForm}, each entry with {@code
 * "suspended": true}, or with {@code downBps}, {@code upBps} and {@code burstBytes}, of which what
 * is left out stays as declared.
 */
final class LimitTermsForm {
  private static final String SUSPENDED = "suspended";
  private static final String DOWN = "downBps";
  private static final String UP = "upBps";
  private static final String BURST = "burstBytes";
  private static final String RATES = "suspended, or some of downBps, upBps, burstBytes";

  private LimitTermsForm() {}

  /**
   * Reads the fields that are there; what is wrong with them is a problem of {@code body}.
   *
   * @param otherwise the rates that were read before
   */
  static Optional<LimitTerms> read(ObjectReader body, Rates otherwise) {
    boolean suspended = body.flag(SUSPENDED, false);
    return LimitTerms.of(otherwise, suspended, ScheduleForm.read(body, LimitTermsForm::holding));
  }

  static Rates rates(ObjectReader in) {
    return new Rates(
        rate(in, DOWN),
        rate(in, UP),
        in.optionalInteger(BURST, RateLimit.MIN_BURST_BYTES, Integer.MAX_VALUE));
  }

  private static OptionalLong rate(ObjectReader body, String name) {
    OptionalLong rateBps = body.optionalWhole(name);
    if (rateBps.isPresent() && rateBps.getAsLong() <= 0) {
      body.problem(Code.INVALID, name, rateBps.getAsLong(), "more than 0 bit/s");
      return OptionalLong.empty();
    }
    return rateBps;
  }

  private static Optional<Holding> holding(ObjectReader item) {
    boolean hasRates = item.has(DOWN) || item.has(UP) || item.has(BURST);
    boolean off = item.flag(SUSPENDED, false);
    Rates rates = rates(item);
    if (off == hasRates) {
      if (item.sound()) {
        item.problem(
            Code.MALFORMED, SUSPENDED, off ? "true beside rates" : "absent as rates are", RATES);
      }
      return Optional.empty();
    }
    return Optional.of(off ? new Holding.Off() : new Holding.At(rates));
  }

  static void write(JsonGenerator json, LimitTerms terms) throws IOException {
    if (terms.suspended()) {
      json.writeBooleanField(SUSPENDED, true);
    }
    ScheduleForm.write(
        json,
        terms.schedule(),
        holding -> {
          if (holding instanceof Holding.At at) {
            write(json, at.rates().downBps(), at.rates().upBps(), at.rates().burstBytes());
          } else {
            json.writeBooleanField(SUSPENDED, true);
          }
        });
  }

  static void write(
      JsonGenerator json, OptionalLong downBps, OptionalLong upBps, OptionalInt burstBytes)
      throws IOException {
    if (downBps.isPresent()) {
      json.writeNumberField(DOWN, downBps.getAsLong());
    }
    if (upBps.isPresent()) {
      json.writeNumberField(UP, upBps.getAsLong());
    }
    if (burstBytes.isPresent()) {
      json.writeNumberField(BURST, burstBytes.getAsInt());
    }
  }

  /** The fields of what is in force now. */
  static void writeInForce(JsonGenerator json, RateLimit limit) throws IOException {
    if (limit.isOff()) {
      json.writeBooleanField(SUSPENDED, true);
    } else {
      write(json, limit.downBps(), limit.upBps(), limit.burstBytes());
    }
  }
}
