package net.sluice.core.store;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.sluice.core.store.RecordReader.MalformedRecord;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.LimitTerms.Holding;
import net.sluice.intents.model.LimitTerms.Rates;
import net.sluice.intents.model.Schedule;
import net.sluice.intents.model.Span;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.Timing;

/** The parts of records that say what is declared for other times than the present. */
final class TermsRecords {
  private static final int NO = 0;
  private static final int YES = 1;
  private static final int OUT = 2;
  private static final int SPAN_UNTIL = 0;
  private static final int SPAN_DAILY = 1;
  private static final int HOLDS_POLICY = 0;
  private static final int HOLDS_STOPPED = 1;
  private static final int HOLDS_POLICIES = 2;
  private static final int HOLDS_OFF = 0;
  private static final int HOLDS_RATES = 1;

  private final RecordWriter writer;

  TermsRecords(RecordWriter writer) {
    this.writer = writer;
  }

  /** Whether a policy of upstream traffic alone is named, which earlier releases cannot read. */
  static boolean areByDirection(SubscriberTerms terms) {
    List<String> upstream = new ArrayList<>();
    terms.policies(Direction.UP, (field, id) -> upstream.add(id));
    return !upstream.isEmpty();
  }

  void write(SubscriberTerms terms) {
    if (areByDirection(terms)) {
      treatment(terms.otherwise());
    } else {
      writer.text(terms.otherwise().policyId());
    }
    optional(terms.suspendedTo(), this::treatment);
    timing(terms.timing());
    schedule(terms.schedule(), this::treatment);
  }

  private void treatment(SubscriberTerms.Holding holding) {
    if (!(holding instanceof SubscriberTerms.Holding.Has has)) {
      writer.u8(HOLDS_STOPPED);
      return;
    }
    writer.u8(has.upstreamPolicyId().isPresent() ? HOLDS_POLICIES : HOLDS_POLICY);
    writer.text(has.policyId());
    has.upstreamPolicyId().ifPresent(writer::text);
  }

  private static SubscriberTerms.Holding treatment(RecordReader in) {
    int kind = in.u8();
    return switch (kind) {
      case HOLDS_STOPPED -> new SubscriberTerms.Holding.Stopped();
      case HOLDS_POLICY -> new SubscriberTerms.Holding.Has(in.text());
      case HOLDS_POLICIES -> {
        String policyId = in.text();
        yield new SubscriberTerms.Holding.Has(policyId, Optional.of(in.text()));
      }
      default -> throw unknown(kind);
    };
  }

  private static MalformedRecord unknown(int kind) {
    return new MalformedRecord("unknown kind of what a schedule holds " + kind);
  }

  static SubscriberTerms subscriber(RecordReader in) {
    return subscriber(in, new SubscriberTerms.Holding.Has(in.text()));
  }

  static SubscriberTerms subscriberByDirection(RecordReader in) {
    if (!(treatment(in) instanceof SubscriberTerms.Holding.Has otherwise)) {
      throw new MalformedRecord("it has no policy otherwise");
    }
    return subscriber(in, otherwise);
  }

  private static SubscriberTerms subscriber(
      RecordReader in, SubscriberTerms.Holding.Has otherwise) {
    Optional<SubscriberTerms.Holding> suspendedTo = optional(in, () -> treatment(in));
    Timing timing = timing(in);
    return new SubscriberTerms(otherwise, suspendedTo, schedule(in, () -> treatment(in)), timing);
  }

  void write(LimitTerms terms) {
    rates(terms.otherwise());
    writer.u8(terms.suspended() ? YES : NO);
    timing(terms.timing());
    schedule(
        terms.schedule(),
        holding -> {
          if (holding instanceof Holding.At at) {
            writer.u8(HOLDS_RATES);
            rates(at.rates());
          } else {
            writer.u8(HOLDS_OFF);
          }
        });
  }

  static LimitTerms limit(RecordReader in) {
    Rates otherwise = rates(in);
    boolean suspended = isYes(in);
    Timing timing = timing(in);
    return new LimitTerms(
        otherwise,
        suspended,
        schedule(
            in,
            () -> {
              int kind = in.u8();
              if (kind != HOLDS_OFF && kind != HOLDS_RATES) {
                throw unknown(kind);
              }
              return kind == HOLDS_OFF ? new Holding.Off() : new Holding.At(rates(in));
            }),
        timing);
  }

  /** Declared numbers are more than 0, so 0 can stand for an absent one. */
  private void rates(Rates rates) {
    writer.i64(rates.downBps().orElse(0));
    writer.i64(rates.upBps().orElse(0));
    writer.i32(rates.burstBytes().orElse(0));
  }

  private static Rates rates(RecordReader in) {
    long downBps = in.i64();
    long upBps = in.i64();
    int burstBytes = in.i32();
    return new Rates(
        downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
        upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
        burstBytes == 0 ? OptionalInt.empty() : OptionalInt.of(burstBytes));
  }

  /** Earlier releases know a flag of the first time only. */
  private void timing(Timing timing) {
    writer.u8((timing.until().isPresent() ? YES : NO) | (timing.outSince().isPresent() ? OUT : NO));
    timing.until().ifPresent(until -> writer.i64(until.toEpochMilli()));
    timing.outSince().ifPresent(since -> writer.i64(since.toEpochMilli()));
  }

  private static Timing timing(RecordReader in) {
    int flags = in.u8();
    if ((flags & ~(YES | OUT)) != 0) {
      throw new MalformedRecord("unknown place in time " + flags);
    }
    Optional<Instant> until = time(in, (flags & YES) != 0);
    return new Timing(until, time(in, (flags & OUT) != 0));
  }

  private static Optional<Instant> time(RecordReader in, boolean isThere) {
    return isThere ? Optional.of(Instant.ofEpochMilli(in.i64())) : Optional.empty();
  }

  private <T> void optional(Optional<T> value, Consumer<T> write) {
    writer.u8(value.isPresent() ? YES : NO);
    value.ifPresent(write);
  }

  private static <T> Optional<T> optional(RecordReader in, Supplier<T> read) {
    return isYes(in) ? Optional.of(read.get()) : Optional.empty();
  }

  private static boolean isYes(RecordReader in) {
    int flag = in.u8();
    if (flag != YES && flag != NO) {
      throw new MalformedRecord("neither yes nor no: " + flag);
    }
    return flag == YES;
  }

  private <T> void schedule(Schedule<T> schedule, Consumer<T> write) {
    writer.u8(schedule.entries().size());
    for (Schedule.Entry<T> entry : schedule.entries()) {
      span(entry.span());
      write.accept(entry.holds());
    }
  }

  private static <T> Schedule<T> schedule(RecordReader in, Supplier<T> read) {
    int count = in.u8();
    List<Schedule.Entry<T>> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Span span = span(in);
      entries.add(new Schedule.Entry<>(span, read.get()));
    }
    return new Schedule<>(entries);
  }

  private void span(Span span) {
    if (span instanceof Span.Until until) {
      writer.u8(SPAN_UNTIL);
      writer.i64(until.end().toEpochMilli());
      return;
    }
    Span.Daily daily = (Span.Daily) span;
    writer.u8(SPAN_DAILY);
    writer.u16(minutes(daily.from()));
    writer.u16(minutes(daily.to()));
    writer.text(daily.zone().getId());
    int days = 0;
    for (DayOfWeek day : daily.days()) {
      days |= 1 << day.ordinal();
    }
    writer.u8(days);
  }

  private static Span span(RecordReader in) {
    int kind = in.u8();
    if (kind == SPAN_UNTIL) {
      return new Span.Until(Instant.ofEpochMilli(in.i64()));
    } else if (kind != SPAN_DAILY) {
      throw new MalformedRecord("unknown kind of time " + kind);
    }
    try {
      LocalTime from = LocalTime.ofSecondOfDay(60L * in.u16());
      LocalTime to = LocalTime.ofSecondOfDay(60L * in.u16());
      ZoneId zone = ZoneId.of(in.text());
      int bits = in.u8();
      Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
      for (DayOfWeek day : DayOfWeek.values()) {
        if ((bits & 1 << day.ordinal()) != 0) {
          days.add(day);
        }
      }
      return new Span.Daily(from, to, zone, days);
    } catch (DateTimeException e) {
      throw new MalformedRecord("no such time: " + e.getMessage());
    }
  }

  private static int minutes(LocalTime time) {
    return time.toSecondOfDay() / 60;
  }
}
