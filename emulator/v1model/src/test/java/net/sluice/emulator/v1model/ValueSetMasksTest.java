package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.program.ProgramException;
import net.sluice.emulator.v1model.runtime.ValueSet;
import org.junit.jupiter.api.Test;

/**
 * A value set whose members are 4 and 68 bits: in a state that looks ahead 40 and 32 bits, and with
 * masks over all 72 as one part.
 */
class ValueSetMasksTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SET = 1;
  private static final int FOUND = 10;
  private static final String MEMBER = "5f00000000000000a1";

  private static ArrayNode states(ObjectNode program) {
    return (ArrayNode) program.at("/parsers/0/parse_states");
  }

  private static String state(String name, int id, String key, String next, String found) {
    String set =
        found.isEmpty()
            ? ""
            : "{'op':'set','parameters':[{'type':'field','value':['scalars','Meta.found']},"
                + "{'type':'hexstr','value':'"
                + found
                + "'}]}";
    return "{'name':'%s','id':%s,'parser_ops':[%s],'transition_key':[%s],'transitions':[%s]}"
        .formatted(name, id, set, key, next);
  }

  private static String ahead(int offset, int width) {
    return "{'type':'lookahead','value':[" + offset + "," + width + "]}";
  }

  private static String amongMembers(String mask, String next) {
    return "{'type':'parse_vset','value':'Prs.pairs','mask':%s,'next_state':'%s'},"
        .formatted(mask, next);
  }

  private static String otherwise(String next) {
    return "{'type':'default','value':null,'mask':null,'next_state':" + next + "}";
  }

  /** The program {@code valuesets} with states behind those it has. */
  private static LoadedProgram program(String mask) {
    try (InputStream in = ValueSetMasksTest.class.getResourceAsStream("/stf/valuesets.json")) {
      ObjectNode program = (ObjectNode) JSON.readTree(in);
      ArrayNode states = states(program);
      for (int i = 0; i < states.size(); i++) {
        if (states.get(i).get("name").asText().equals("second")) {
          ((ObjectNode) states.get(i).get("transitions").get(1)).put("next_state", "apart");
        }
      }
      for (String added :
          List.of(
              state(
                  "apart",
                  20,
                  ahead(0, 40) + "," + ahead(40, 32),
                  amongMembers("null", "isApart") + otherwise("'whole'"),
                  ""),
              state("isApart", 21, "", otherwise("null"), "0x08"),
              state(
                  "whole", 22, ahead(0, 72), amongMembers(mask, "isWhole") + otherwise("null"), ""),
              state("isWhole", 23, "", otherwise("null"), "0x10"))) {
        states.add(JSON.readTree(added.replace('\'', '"')));
      }
      return LoadedProgram.load(JSON.writeValueAsBytes(program), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A member: values, then the bits that count or the ends of ranges. */
  private static long[] member(String values, String seconds) {
    BigInteger value = new BigInteger(values, 16);
    BigInteger second = new BigInteger(seconds, 16);
    return new long[] {
      value.shiftRight(68).longValue(),
      value.longValue(),
      value.shiftRight(64).longValue() & 0xf,
      second.shiftRight(68).longValue(),
      second.longValue(),
      second.shiftRight(64).longValue() & 0xf
    };
  }

  private static int found(LoadedProgram program, String ahead) {
    byte[] bytes = new byte[FOUND + 1 + ahead.length() / 2];
    byte[] tail = new BigInteger("01" + ahead, 16).toByteArray();
    System.arraycopy(tail, 1, bytes, FOUND + 1, tail.length - 1);
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    program.pipeline().ingress(packet, 0, 0);
    program.pipeline().egress(packet, 0);
    int found = packet.toByteArray()[FOUND];
    program.pipeline().release(packet);
    return found;
  }

  @Test
  void aMemberIsItsBitsHoweverAStateDividesThem() {
    LoadedProgram program = program("'0xf000000000000000ff'");
    ValueSet set = program.state().valueSets().get(SET);
    assertThat(found(program, MEMBER)).isZero();
    set.replace(
        List.of(
            member("100000000000000001", "ffffffffffffffffff"),
            member(MEMBER, "ffffffffffffffffff")));
    assertThat(found(program, MEMBER)).isEqualTo(8);
    assertThat(found(program, "100000000000000001")).isEqualTo(8);
    // In each of the parts of either state another bit, which the mask leaves out.
    for (String other : List.of("5e00000000000000a1", "5f00000001000000a1", "5f00000000800000a1")) {
      assertThat(found(program, other)).as(other).isEqualTo(16);
    }
    // And one that it does not.
    for (String other : List.of("df00000000000000a1", "5f00000000000000a0")) {
      assertThat(found(program, other)).as(other).isZero();
    }
  }

  @Test
  void aMaskCountsForKeyAndMembers() {
    LoadedProgram program = program("'0x7f00000000000000f0'");
    ValueSet set = program.state().valueSets().get(SET);
    set.replace(List.of(member(MEMBER, "ffffffffffffffffff")));
    assertThat(found(program, "5f00000000000000af")).isEqualTo(16);
    assertThat(found(program, "df12345678123456a0")).isEqualTo(16);
    assertThat(found(program, "df12345678123456b0")).isZero();
    assertThat(found(program, "1f12345678123456a0")).isZero();
  }

  @Test
  void membersThatAreRangesAreMaskedAtBothEnds() {
    LoadedProgram program = program("'0xf000000000000000ff'");
    ValueSet set = program.state().valueSets().get(SET);
    set.setRange(1);
    set.replace(List.of(member("5f00000000000000a0", "f900000000000000aa")));
    assertThat(found(program, "5f000000000000ffa3")).isEqualTo(16);
    assertThat(found(program, "5f000000000000ffab")).isZero();
    assertThat(found(program, "5f000000000000ff9f")).isZero();
  }

  @Test
  void aMaskOfAnotherLengthThanTheKeyIsRefused() {
    assertThatThrownBy(() -> program("'0x1f000000000000000000'"))
        .isInstanceOf(ProgramException.class)
        .hasMessageEndingWith("value is longer than the key");
  }
}
