package net.sluice.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.core.store.RecordReader.MalformedRecord;
import net.sluice.intents.model.Aqm;
import net.sluice.intents.model.AqmKind;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.PointsFunction.Point;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.model.TrafficClass;
import net.sluice.intents.model.TrafficClasses;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/**
 * The store's record format. The id is the key and is not repeated in the value; every value begins
 * with a version byte. Numbers are big-endian; a prefix takes only the bytes its length needs.
 */
public final class StoreCodec {
  /** The highest version of records that this code writes and reads. */
  public static final int VERSION = 9;

  // A record has the lowest version whose releases can read it, so that a store can go back to an
  // earlier release as long as nothing in it is new to that.
  private static final int FIRST_VERSION = 1;
  private static final int VERSION_WITH_AQM = 2;
  private static final int VERSION_WITH_LEAVING = 3;
  private static final int VERSION_WITH_ENFORCEMENT = 4;
  private static final int VERSION_WITH_GATE = 5;
  private static final int VERSION_WITH_COMMITMENT = 6;
  private static final int VERSION_WITH_PARTS = 7;
  private static final int VERSION_WITH_RIO = 8;
  private static final int VERSION_WITH_CLASSES = 9;

  private static final int SCOPE_SUBSCRIBER = 0;
  private static final int SCOPE_TREE = 1;
  private static final int SCOPE_PORT = 2;
  private static final int FUNCTION_POINTS = 0;
  private static final int FUNCTION_GOLD = 1;
  private static final int FUNCTION_SILVER = 2;
  private static final int AQM_NONE = 0;
  private static final int AQM_CODEL_ACT = 1;
  private static final int AQM_P4_CODEL = 2;
  private static final int AQM_RFC8289 = 3;
  private static final int AQM_RIO = 4;
  private static final int AQM_ECN = 0x80;

  /** In place of an AQM before classes. */
  private static final int NO_AQM = 0x7f;

  private static final int CLASS_PRIORITY = 0x80;
  private static final int ENFORCEMENT_OPEN = 0;
  private static final int ENFORCEMENT_FPGA = 1;
  private static final int ENFORCEMENT_POLICE = 2;
  private static final int ENFORCEMENT_SHAPE = 3;
  private static final int GATE_OPEN = 0;
  private static final int GATE_CLOSED = 1;
  private static final int V6_FLAG = 0x80;
  private static final int V6_LONG = 0xff;

  private final RecordWriter writer = new RecordWriter();
  private final PartsCodec parts = new PartsCodec(writer);

  /** The record of a subscriber. Not thread-safe: one encoder at a time. */
  public byte[] encode(SubscriberState state) {
    Subscriber subscriber = state.subscriber();
    int version = version(state);
    writer.start().u8(version);
    writer.i32(state.index());
    writer.i32(state.allotment());
    writer.u16(subscriber.attachment().port() << 8 | subscriber.attachment().tree());
    writer.u16(subscriber.vlans().map(VlanTags::sVlan).orElse(0));
    writer.u16(subscriber.vlans().map(VlanTags::cVlan).orElse(0));
    writer.text(subscriber.policyId());
    List<IpPrefix> prefixes = subscriber.prefixes();
    writer.u8(prefixes.size());
    for (int i = 0; i < prefixes.size(); i++) {
      prefix(prefixes.get(i));
    }
    if (version == VERSION_WITH_PARTS) {
      parts.write(subscriber.parts(), state.leaving(), state.contract());
    } else if (state.leaving().isPresent()) {
      writer.text(state.leaving().get().toSwitch());
      writer.i64(state.leaving().get().sinceMillis());
    }
    return writer.take();
  }

  private static int version(SubscriberState state) {
    if (!state.subscriber().parts().isNone()) {
      return VERSION_WITH_PARTS;
    }
    return state.leaving().isPresent() ? VERSION_WITH_LEAVING : FIRST_VERSION;
  }

  /**
   * The subscriber of a record.
   *
   * @throws StoreException if the record is corrupt or of a newer format
   */
  public static SubscriberState subscriber(String id, byte[] value) {
    return decode(
        "subscriber",
        id,
        value,
        (in, version) -> {
          int index = in.i32();
          int allotment = in.i32();
          int attachment = in.u16();
          int sVlan = in.u16();
          int cVlan = in.u16();
          String policyId = in.text();
          int count = in.u8();
          List<IpPrefix> prefixes = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            prefixes.add(prefix(in));
          }
          PartsCodec.Parts more =
              version < VERSION_WITH_PARTS
                  ? new PartsCodec.Parts(OptionalParts.NONE, leaving(in), SubscriberState.NONE)
                  : PartsCodec.read(in);
          return new SubscriberState(
              new Subscriber(
                  id,
                  policyId,
                  prefixes,
                  sVlan == 0 ? Optional.empty() : Optional.of(new VlanTags(sVlan, cVlan)),
                  new Attachment(attachment >>> 8, attachment & 0xff),
                  more.parts()),
              index,
              allotment,
              more.contract(),
              more.leaving());
        });
  }

  /** A subscriber in force ends before it. */
  private static Optional<Leaving> leaving(RecordReader in) {
    if (in.isAtEnd()) {
      return Optional.empty();
    }
    String toSwitch = in.text();
    return Optional.of(new Leaving(toSwitch, in.i64()));
  }

  /**
   * The index in the record of a subscriber, without decoding the rest.
   *
   * @throws StoreException if the record is corrupt or of a newer format
   */
  public static int subscriberIndex(String id, byte[] value) {
    return decode("subscriber", id, value, (in, version) -> in.i32(), false);
  }

  /** The record of a policy; not thread-safe. */
  public byte[] encode(PolicyState state) {
    TrafficClasses classes = state.policy().classes();
    writer.start().u8(version(state.policy()));
    writer.u16(state.slot());
    ThroughputValueFunction function = state.policy().function();
    if (function instanceof BuiltInFunction builtIn) {
      writer.u8(builtIn == BuiltInFunction.GOLD ? FUNCTION_GOLD : FUNCTION_SILVER);
    } else {
      List<Point> points = ((PointsFunction) function).points();
      writer.u8(FUNCTION_POINTS);
      writer.u16(points.size());
      for (Point point : points) {
        writer.i64(point.rateBps());
        writer.i64(Double.doubleToRawLongBits(point.value()));
      }
    }
    state.policy().aqm().ifPresent(this::aqm);
    if (classes.any()) {
      if (state.policy().aqm().isEmpty()) {
        writer.u8(NO_AQM);
      }
      classes(classes);
    }
    return writer.take();
  }

  private static int version(Policy policy) {
    if (policy.classes().any()) {
      return VERSION_WITH_CLASSES;
    }
    if (policy.aqm().isEmpty()) {
      return FIRST_VERSION;
    }
    return policy.aqm().get() instanceof Aqm.Rio ? VERSION_WITH_RIO : VERSION_WITH_AQM;
  }

  private void classes(TrafficClasses classes) {
    writer.u8(classes.all().size());
    for (TrafficClass each : classes.all()) {
      writer.text(each.name());
      writer.u8(each.dscp().size());
      each.dscp().forEach(writer::u8);
      writer.u8(
          each.priority().isPresent()
              ? CLASS_PRIORITY | each.priority().getAsInt()
              : each.share().orElseThrow());
    }
  }

  private static TrafficClasses classes(RecordReader in) {
    int count = in.u8();
    List<TrafficClass> classes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = in.text();
      int codepoints = in.u8();
      List<Integer> dscp = new ArrayList<>(codepoints);
      for (int j = 0; j < codepoints; j++) {
        dscp.add(in.u8());
      }
      int turn = in.u8();
      boolean first = (turn & CLASS_PRIORITY) != 0;
      classes.add(
          new TrafficClass(
              name,
              dscp,
              first ? OptionalInt.of(turn & ~CLASS_PRIORITY) : OptionalInt.empty(),
              first ? OptionalInt.empty() : OptionalInt.of(turn)));
    }
    return new TrafficClasses(classes);
  }

  private void aqm(Aqm aqm) {
    if (aqm instanceof Aqm.Rio rio) {
      writer.u8(AQM_RIO);
      writer.u8(rio.inDscp());
      writer.i32(rio.limitPackets());
      writer.u8(rio.weightShift());
      curve(rio.in());
      curve(rio.out());
      return;
    }
    if (!(aqm instanceof Aqm.CoDel codel)) {
      writer.u8(AQM_NONE);
      return;
    }
    int kind =
        switch (codel.kind()) {
          case CODEL_ACT -> AQM_CODEL_ACT;
          case P4_CODEL -> AQM_P4_CODEL;
          case RFC8289 -> AQM_RFC8289;
        };
    writer.u8(kind | (codel.ecn() ? AQM_ECN : 0));
    writer.i32((int) codel.targetMicros());
    writer.i32((int) codel.intervalMicros());
  }

  private void curve(Aqm.RioCurve curve) {
    writer.i32(curve.minPackets());
    writer.i32(curve.maxPackets());
    writer.i64(Double.doubleToRawLongBits(curve.maxProbability()));
  }

  private static Aqm.RioCurve curve(RecordReader in) {
    int minPackets = in.i32();
    int maxPackets = in.i32();
    return new Aqm.RioCurve(minPackets, maxPackets, Double.longBitsToDouble(in.i64()));
  }

  /**
   * The policy of a record.
   *
   * @throws StoreException if the record is corrupt or of a newer format
   */
  public static PolicyState policy(String id, byte[] value) {
    return decode(
        "policy",
        id,
        value,
        (in, version) -> {
          int slot = in.u16();
          ThroughputValueFunction function = function(in);
          // A policy without one ends here, whatever its version.
          Optional<Aqm> aqm = in.isAtEnd() ? Optional.empty() : aqm(in);
          TrafficClasses classes =
              version < VERSION_WITH_CLASSES ? TrafficClasses.NONE : classes(in);
          return new PolicyState(new Policy(id, function, aqm, classes), slot);
        });
  }

  private static Optional<Aqm> aqm(RecordReader in) {
    int first = in.u8();
    if (first == NO_AQM) {
      return Optional.empty();
    } else if (first == AQM_NONE) {
      return Optional.of(Aqm.NONE);
    } else if (first == AQM_RIO) {
      int inDscp = in.u8();
      int limitPackets = in.i32();
      int weightShift = in.u8();
      Aqm.RioCurve curveIn = curve(in);
      return Optional.of(new Aqm.Rio(inDscp, limitPackets, weightShift, curveIn, curve(in)));
    }
    AqmKind kind =
        switch (first & ~AQM_ECN) {
          case AQM_CODEL_ACT -> AqmKind.CODEL_ACT;
          case AQM_P4_CODEL -> AqmKind.P4_CODEL;
          case AQM_RFC8289 -> AqmKind.RFC8289;
          default -> throw new MalformedRecord("unknown kind of aqm " + first);
        };
    int targetMicros = in.i32();
    return Optional.of(new Aqm.CoDel(kind, targetMicros, in.i32(), (first & AQM_ECN) != 0));
  }

  private static ThroughputValueFunction function(RecordReader in) {
    int kind = in.u8();
    if (kind == FUNCTION_GOLD) {
      return BuiltInFunction.GOLD;
    } else if (kind == FUNCTION_SILVER) {
      return BuiltInFunction.SILVER;
    } else if (kind != FUNCTION_POINTS) {
      throw new MalformedRecord("unknown kind of function " + kind);
    }
    int count = in.u16();
    List<Point> points = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long rateBps = in.i64();
      points.add(new Point(rateBps, Double.longBitsToDouble(in.i64())));
    }
    return new PointsFunction(points);
  }

  /** The record of a rate limit; not thread-safe. */
  public byte[] encode(RateLimit limit) {
    int version = version(limit);
    writer.start().u8(version);
    Scope scope = limit.scope();
    if (scope instanceof Scope.OfSubscriber of) {
      writer.u8(SCOPE_SUBSCRIBER);
      writer.text(of.subscriberId());
    } else if (scope instanceof Scope.OfTree of) {
      writer.u8(SCOPE_TREE);
      writer.u16(of.port() << 8 | of.tree());
    } else {
      writer.u8(SCOPE_PORT);
      writer.u8(((Scope.OfPort) scope).port());
    }
    // Declared numbers are more than 0, so 0 can stand for an absent one.
    writer.i64(limit.downBps().orElse(0));
    writer.i64(limit.upBps().orElse(0));
    writer.i32(limit.burstBytes().orElse(0));
    if (version >= VERSION_WITH_ENFORCEMENT) {
      writer.u8(limit.enforcement().map(StoreCodec::code).orElse(ENFORCEMENT_OPEN));
    }
    if (version >= VERSION_WITH_GATE) {
      writer.u8(limit.gate() == Gate.CLOSED ? GATE_CLOSED : GATE_OPEN);
    }
    if (version >= VERSION_WITH_COMMITMENT) {
      writer.i32(limit.maxCommittedPercent().orElse(0));
    }
    limit.terms().ifPresent(parts::write);
    return writer.take();
  }

  private static int version(RateLimit limit) {
    if (limit.isTimed()) {
      return VERSION_WITH_PARTS;
    } else if (limit.maxCommittedPercent().isPresent()) {
      return VERSION_WITH_COMMITMENT;
    } else if (limit.gate() == Gate.CLOSED) {
      return VERSION_WITH_GATE;
    }
    return limit.enforcement().isPresent() ? VERSION_WITH_ENFORCEMENT : FIRST_VERSION;
  }

  /**
   * The rate limit of a record.
   *
   * @throws StoreException if the record is corrupt or of a newer format
   */
  public static RateLimit rateLimit(String id, byte[] value) {
    return decode(
        "rate limit",
        id,
        value,
        (in, version) -> {
          Scope scope = scope(in);
          long downBps = in.i64();
          long upBps = in.i64();
          int burstBytes = in.i32();
          return new RateLimit(
              id,
              scope,
              downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
              upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
              burstBytes == 0 ? OptionalInt.empty() : OptionalInt.of(burstBytes),
              enforcement(in),
              gate(in),
              committed(in),
              PartsCodec.readLimit(in));
        });
  }

  /** A limit without one ends before it, or has 0. */
  private static OptionalInt committed(RecordReader in) {
    int percent = in.isAtEnd() ? 0 : in.i32();
    return percent == 0 ? OptionalInt.empty() : OptionalInt.of(percent);
  }

  private static int code(Enforcement enforcement) {
    return switch (enforcement) {
      case FPGA -> ENFORCEMENT_FPGA;
      case SHAPE -> ENFORCEMENT_SHAPE;
      case POLICE -> ENFORCEMENT_POLICE;
    };
  }

  /** A limit whose gate is open ends before it. */
  private static Gate gate(RecordReader in) {
    if (in.isAtEnd()) {
      return Gate.OPEN;
    }
    int code = in.u8();
    if (code == GATE_OPEN && !in.isAtEnd()) {
      return Gate.OPEN;
    }
    if (code != GATE_CLOSED) {
      throw new MalformedRecord("unknown gate " + code);
    }
    return Gate.CLOSED;
  }

  /** A limit that does not say ends before it. */
  private static Optional<Enforcement> enforcement(RecordReader in) {
    if (in.isAtEnd()) {
      return Optional.empty();
    }
    int code = in.u8();
    if (code == ENFORCEMENT_OPEN && !in.isAtEnd()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (code) {
          case ENFORCEMENT_FPGA -> Enforcement.FPGA;
          case ENFORCEMENT_SHAPE -> Enforcement.SHAPE;
          case ENFORCEMENT_POLICE -> Enforcement.POLICE;
          default -> throw new MalformedRecord("unknown enforcement " + code);
        });
  }

  private static Scope scope(RecordReader in) {
    int kind = in.u8();
    if (kind == SCOPE_SUBSCRIBER) {
      return new Scope.OfSubscriber(in.text());
    } else if (kind == SCOPE_TREE) {
      int attachment = in.u16();
      return new Scope.OfTree(attachment >>> 8, attachment & 0xff);
    } else if (kind == SCOPE_PORT) {
      return new Scope.OfPort(in.u8());
    }
    throw new MalformedRecord("unknown kind of scope " + kind);
  }

  /**
   * One byte of family and length (0..32, or 128 + 0..126; longer IPv6 lengths need a second byte),
   * then the address bytes that the length covers.
   */
  private void prefix(IpPrefix prefix) {
    int bytes = (prefix.length() + 7) / 8;
    if (prefix.family() == Family.V4) {
      writer.u8(prefix.length());
      writer.leadingBytes(prefix.lo() << 32, bytes);
      return;
    }
    if (prefix.length() < 127) {
      writer.u8(V6_FLAG | prefix.length());
    } else {
      writer.u8(V6_LONG);
      writer.u8(prefix.length());
    }
    writer.leadingBytes(prefix.hi(), Math.min(8, bytes));
    writer.leadingBytes(prefix.lo(), Math.max(0, bytes - 8));
  }

  private static IpPrefix prefix(RecordReader in) {
    int first = in.u8();
    if ((first & V6_FLAG) == 0) {
      if (first > 32) {
        throw new MalformedRecord("IPv4 prefix length " + first);
      }
      return new IpPrefix(Family.V4, 0, in.leadingBytes((first + 7) / 8) >>> 32, first);
    }
    int length = first == V6_LONG ? in.u8() : first & ~V6_FLAG;
    if (length > 128) {
      throw new MalformedRecord("IPv6 prefix length " + length);
    }
    int bytes = (length + 7) / 8;
    long hi = in.leadingBytes(Math.min(8, bytes));
    return new IpPrefix(Family.V6, hi, in.leadingBytes(Math.max(0, bytes - 8)), length);
  }

  private interface Decoder<T> {
    T from(RecordReader in, int version);
  }

  private static <T> T decode(String kind, String id, byte[] value, Decoder<T> decoder) {
    return decode(kind, id, value, decoder, true);
  }

  private static <T> T decode(
      String kind, String id, byte[] value, Decoder<T> decoder, boolean whole) {
    RecordReader in = new RecordReader(value);
    try {
      int version = in.u8();
      if (version > VERSION || version < 1) {
        throw new StoreException(
            kind
                + " "
                + id
                + " has record version "
                + version
                + "; this release reads 1 to "
                + VERSION);
      }
      T decoded = decoder.from(in, version);
      if (whole) {
        in.end();
      }
      return decoded;
    } catch (MalformedRecord | InvalidValueException e) {
      throw new StoreException(
          "the record of " + kind + " " + id + " is corrupt: " + e.getMessage(), e);
    }
  }
}
