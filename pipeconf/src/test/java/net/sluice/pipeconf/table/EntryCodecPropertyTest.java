package net.sluice.pipeconf.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.CompiledProgram;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.ActionRef;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** What holds for every entry; P4Info, read by protobuf itself, is the judge. */
abstract class EntryCodecPropertyTest {
  private final CompiledProgram program;
  private final EntryCodec codec;
  private final Map<Integer, Table> tables = new HashMap<>();
  private final Map<Integer, Action> actions = new HashMap<>();

  EntryCodecPropertyTest(CompiledProgram program, P4Info info) {
    this.program = program;
    this.codec = program.entries();
    info.getTablesList().forEach(table -> tables.put(table.getPreamble().getId(), table));
    info.getActionsList().forEach(action -> actions.put(action.getPreamble().getId(), action));
  }

  @Provide
  Arbitrary<SwitchEntry> entries() {
    return Entries.of(program);
  }

  @Property(tries = 5000, seed = "1")
  void decodingGivesBackWhatWasEncoded(@ForAll("entries") SwitchEntry entry)
      throws InvalidProtocolBufferException {
    TableEntry sent = TableEntry.parseFrom(codec.encode(entry).toByteArray());

    assertThat(codec.decode(sent)).isEqualTo(new DecodedEntry.Known(entry));
  }

  @Property(tries = 5000, seed = "1")
  void entriesAreValidUnderP4Info(@ForAll("entries") SwitchEntry entry) {
    TableEntry encoded = codec.encode(entry);
    Table table = tables.get(encoded.getTableId());
    assertThat(table).isNotNull();

    boolean ranged = false;
    Map<Integer, FieldMatch> matches = new HashMap<>();
    for (FieldMatch match : encoded.getMatchList()) {
      assertThat(matches.put(match.getFieldId(), match)).isNull();
    }
    for (MatchField field : table.getMatchFieldsList()) {
      FieldMatch match = matches.remove(field.getId());
      switch (field.getMatchType()) {
        case EXACT:
          assertThat(match).isNotNull();
          assertCanonical(match.getExact().getValue(), field.getBitwidth());
          break;
        case LPM:
          if (match != null) {
            assertThat(match.getLpm().getPrefixLen()).isBetween(1, field.getBitwidth());
            assertCanonical(match.getLpm().getValue(), field.getBitwidth());
          }
          break;
        case TERNARY:
          ranged = true;
          if (match != null) {
            ByteString mask = match.getTernary().getMask();
            ByteString value = match.getTernary().getValue();
            assertCanonical(value, field.getBitwidth());
            assertCanonical(mask, field.getBitwidth());
            assertThat(number(value).andNot(number(mask)).signum()).isZero();
            assertThat(number(mask).signum()).isOne();
          }
          break;
        case RANGE:
          ranged = true;
          if (match != null) {
            assertCanonical(match.getRange().getLow(), field.getBitwidth());
            assertCanonical(match.getRange().getHigh(), field.getBitwidth());
          }
          break;
        default:
          throw new AssertionError("match kind " + field.getMatchType() + " is not used");
      }
    }
    assertThat(matches).isEmpty();
    assertThat(encoded.getPriority() > 0).isEqualTo(ranged);

    p4.v1.P4RuntimeOuterClass.Action action = encoded.getAction().getAction();
    assertThat(table.getActionRefsList())
        .anyMatch(
            ref ->
                ref.getId() == action.getActionId()
                    && ref.getScope() != ActionRef.Scope.DEFAULT_ONLY);
    Action declared = actions.get(action.getActionId());
    assertThat(action.getParamsCount()).isEqualTo(declared.getParamsCount());
    for (int i = 0; i < action.getParamsCount(); i++) {
      assertThat(action.getParams(i).getParamId()).isEqualTo(declared.getParams(i).getId());
      assertCanonical(action.getParams(i).getValue(), declared.getParams(i).getBitwidth());
    }
  }

  private static BigInteger number(ByteString value) {
    return new BigInteger(1, value.toByteArray());
  }

  private static void assertCanonical(ByteString value, int bits) {
    BigInteger number = number(value);
    assertThat(number.bitLength()).isLessThanOrEqualTo(bits);
    assertThat(value.size()).isEqualTo(Math.max(1, (number.bitLength() + 7) / 8));
  }

  @Property(tries = 2000, seed = "1")
  void keysAreEqualExactlyWhenEntriesAreTheSame(
      @ForAll("entries") SwitchEntry one, @ForAll("entries") SwitchEntry other) {
    assertThat(codec.encodeKey(one).equals(codec.encodeKey(other))).isEqualTo(one.sameKey(other));
    assertThat(codec.encodeKey(one))
        .isEqualTo(codec.encode(one).toBuilder().clearAction().clearMeterConfig().build());
  }

  /** Damaged answers are decoded or reported, and what is decoded encodes to a valid entry. */
  @Property(tries = 5000, seed = "1")
  void anyAnswerIsDecodedOrReported(@ForAll("entries") SwitchEntry entry, @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = codec.encode(entry).toByteArray();
    for (int i = 0; i <= random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    TableEntry damaged;
    try {
      damaged = TableEntry.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      return;
    }
    DecodedEntry decoded = codec.decode(damaged);
    if (decoded instanceof DecodedEntry.Known known) {
      assertThat(codec.decode(codec.encode(known.entry()))).isEqualTo(known);
    } else if (decoded instanceof DecodedEntry.Malformed malformed) {
      assertThat(malformed.entity().getTableEntry()).isEqualTo(damaged);
      assertThat(malformed.reason()).isNotBlank();
    } else {
      assertThat(decoded)
          .isEqualTo(new DecodedEntry.Foreign(Entity.newBuilder().setTableEntry(damaged).build()));
      assertThat(codec.tables().stream().flatMap(of -> codec.tableIds(of).stream()))
          .doesNotContain(damaged.getTableId());
    }
  }
}
