package net.sluice.emulator.v1model.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import net.sluice.emulator.v1model.program.ProgramException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unknown constructs: each kind of construct in each kind of place is given a name that does not
 * exist, and the refusal has that name and the place. Other damage is refused too, unless it leaves
 * a valid program.
 */
class UnknownConstructsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Members that name a construct. */
  private static final Set<String> KINDS = Set.of("op", "type", "match_type", "algo");

  private static final String UNKNOWN = "frobnicate";
  private static final int DAMAGED = 150;

  /** A member of an object in a program. */
  private record Member(ObjectNode object, String name) {}

  private static ObjectNode program(String name) {
    try (InputStream in =
        UnknownConstructsTest.class.getResourceAsStream("/stf/" + name + ".json")) {
      return (ObjectNode) JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Members by path, without element indexes, and value. */
  private static Map<String, Member> members(JsonNode root, Set<String> wanted) {
    Map<String, Member> members = new LinkedHashMap<>();
    collect(root, "", wanted, members);
    return members;
  }

  private static void collect(
      JsonNode node, String path, Set<String> wanted, Map<String, Member> into) {
    if (node instanceof ArrayNode) {
      node.forEach(element -> collect(element, path + "[]", wanted, into));
    } else if (node instanceof ObjectNode objectNode) {
      for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
        String name = names.next();
        if (name.equals("source_info")) {
          continue;
        }
        JsonNode value = node.get(name);
        if (wanted == null || wanted.contains(name) && value.isTextual()) {
          String says = value.isTextual() && wanted != null ? " " + value.asText() : "";
          into.putIfAbsent(path + "." + name + says, new Member(objectNode, name));
        }
        collect(value, path + "." + name, wanted, into);
      }
    }
  }

  private static Throwable load(ObjectNode program) {
    byte[] bytes;
    try {
      bytes = JSON.writeValueAsBytes(program);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return catchThrowable(() -> ProgramLoader.load(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "language",
        "copies",
        "meters",
        "unions",
        "valuesets",
        "profiles",
        "stacks",
        "varbits",
        "older",
        "parsing",
        "commands",
        "entities",
        "loops",
        "casts",
        "signs",
        "numbers",
        "lists"
      })
  void whatNobodyKnowsIsRefusedByName(String name) {
    ObjectNode program = program(name);
    List<String> silent = new ArrayList<>();
    Map<String, Member> members = members(program, KINDS);
    assertThat(members).hasSizeGreaterThan(15);
    members.forEach(
        (path, member) -> {
          JsonNode before = member.object().get(member.name());
          member.object().put(member.name(), UNKNOWN);
          Throwable refusal = load(program);
          member.object().set(member.name(), before);
          boolean named =
              refusal instanceof ProgramException
                  && refusal.getMessage().contains(UNKNOWN)
                  && refusal.getMessage().contains("[");
          if (!named) {
            silent.add(path + ": " + refusal);
          }
        });
    assertThat(silent).isEmpty();
    assertThat(load(program)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"language", "copies", "unions", "valuesets", "profiles", "older", "parsing"})
  void damageIsRefusedOrHarmless(String name) {
    ObjectNode program = program(name);
    List<Member> members = new ArrayList<>(members(program, null).values());
    SplittableRandom random = new SplittableRandom(7);
    List<Consumer<Member>> damages =
        List.of(
            m -> m.object().remove(m.name()),
            m -> m.object().putNull(m.name()),
            m -> m.object().put(m.name(), -1),
            m -> m.object().put(m.name(), 1L << 40),
            m -> m.object().put(m.name(), "nowhere"),
            m -> m.object().put(m.name(), true),
            m -> m.object().putArray(m.name()),
            m -> m.object().putObject(m.name()));
    List<String> crashes = new ArrayList<>();
    for (int i = 0; i < DAMAGED; i++) {
      Member member = members.get(random.nextInt(members.size()));
      JsonNode before = member.object().get(member.name());
      int damage = random.nextInt(damages.size());
      damages.get(damage).accept(member);
      Throwable refusal = load(program);
      member.object().set(member.name(), before);
      if (refusal != null && !(refusal instanceof ProgramException)) {
        crashes.add(member.name() + " " + before + " damage " + damage + ": " + refusal);
      }
    }
    assertThat(crashes).isEmpty();
    assertThat(load(program)).isNull();
  }
}
