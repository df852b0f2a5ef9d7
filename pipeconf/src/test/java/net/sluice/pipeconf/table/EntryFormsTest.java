package net.sluice.pipeconf.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FieldSink;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.FormField;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.PrefixField;
import net.sluice.intents.plan.form.RangeField;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.testing.SampleEntries;
import org.junit.jupiter.api.Test;

/** The forms of the entries of all tables: what they tell, and what they make. */
class EntryFormsTest {
  private static List<SwitchEntry> samples() {
    return Stream.concat(
            SampleEntries.of(CompiledProgram.AGGREGATE).stream(),
            Stream.concat(
                SampleEntries.of(CompiledProgram.TNA).stream(), Stream.of(new MirrorEntry(5))))
        .distinct()
        .toList();
  }

  @Test
  void theyTellEachEntryAsInTheGoldenFile() throws IOException {
    String actual =
        samples().stream()
            .map(
                entry -> {
                  Line line = new Line();
                  entry.tell(Op.INSERT, Optional.empty(), line);
                  return line.text + "\n";
                })
            .collect(Collectors.joining());
    Path golden = Path.of("src/test/resources/net/sluice/pipeconf/table/plan-lines.golden.txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(golden));
    assertThat(samples().stream().map(SwitchEntry::table)).contains(Table.values());
  }

  @Test
  void anEntryIsMadeAgainFromItsFields() {
    samples().forEach(entry -> assertThat(remade(entry.form(), entry)).isEqualTo(entry));
  }

  @SuppressWarnings("unchecked") // an entry's form is of its own class
  private static <E> E remade(EntryForm<E> form, SwitchEntry entry) {
    return form.make(new OwnValues<>((E) entry));
  }

  @Test
  void namesOfFieldsAreUsedOnceInAnEntry() {
    for (SwitchEntry entry : samples()) {
      assertThat(entry.form().fields().stream().map(FormField::name)).doesNotHaveDuplicates();
      for (int i = 0; i < entry.form().fields().size(); i++) {
        assertThat(entry.form().fields().get(i).index()).isEqualTo(i);
      }
    }
  }

  private record OwnValues<E>(E entry) implements FieldValues<E> {
    @Override
    public long number(NumberField<E> field) {
      return field.number(entry);
    }

    @Override
    public IpPrefix prefix(PrefixField<E> field) {
      return field.prefix(entry);
    }

    @Override
    public long low(RangeField<E> field) {
      return field.low(entry);
    }

    @Override
    public long high(RangeField<E> field) {
      return field.high(entry);
    }
  }

  /** A line of a plan: {@code op=INSERT table=vlan queue{port=1}}. */
  private static final class Line implements FieldSink {
    private StringJoiner text = new StringJoiner(" ");
    private String outer = "";

    @Override
    public void number(String name, long value) {
      text.add(name + "=" + value);
    }

    @Override
    public void flag(String name, boolean value) {
      text.add(name + "=" + value);
    }

    @Override
    public void text(String name, String value) {
      text.add(name + "=" + value);
    }

    @Override
    public void begin(String name) {
      outer = text + " " + name;
      text = new StringJoiner(" ", "{", "}");
    }

    @Override
    public void beginList(String name) {
      begin(name);
    }

    @Override
    public void element(long value) {
      text.add(Long.toString(value));
    }

    @Override
    public void end() {
      String inner = outer + text;
      text = new StringJoiner(" ");
      text.add(inner);
    }
  }
}
