package net.sluice.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.sluice.standalone.client.ServedStore.Ended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands export, import and apply against a controller that serves. */
final class ExportAndApplyTest {
  private static final String GOLD =
      "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"gold\","
          + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}";

  @TempDir Path folder;
  private ServedStore served;

  @BeforeEach
  void serve() {
    served = new ServedStore(folder.resolve("store"));
  }

  @AfterEach
  void end() {
    served.close();
  }

  private static String subscriber(String id, String prefix) {
    return "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"%s\",\"value\":{\"policy\":\"gold\","
            .formatted(id)
        + "\"prefixes\":[\"%s\"],\"attachment\":{\"port\":0,\"tree\":3}}}".formatted(prefix);
  }

  private static String limit(String id, String subscriber) {
    return ("{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"%s\",\"value\":"
            + "{\"scope\":{\"subscriber\":\"%s\"},\"downBps\":50000000}}")
        .formatted(id, subscriber);
  }

  private Path write(String name, String... lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private String export() throws IOException {
    Path file = folder.resolve("export.ndjson");
    assertThat(served.run("export", file.toString())).isEqualTo(new Ended(0, "", ""));
    return Files.readString(file);
  }

  @Test
  void anImportTellsOfEachBadLineAndMakesTheOthers() throws IOException {
    String tooLong = subscriber("long", "10.0.0.9/32" + " ".repeat(10 << 20));
    Path file =
        write(
            "in",
            GOLD,
            subscriber("s1", "10.0.0.1/32").replace("\"tree\":3", "\"tree\":64"),
            subscriber("s2", "10.0.0.2/32"),
            "",
            tooLong,
            subscriber("s3", "10.0.0.2/32"),
            subscriber("s4", "10.0.0.4/32").replace("gold", "none"),
            "{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"s9\"}",
            limit("l2", "s2"));
    Ended ended = served.run("import", file.toString());
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEqualTo("3 lines done, 6 refused\n");
    List<String> told =
        ended.err().lines().map(line -> line.replace(file.toString(), "F")).toList();
    assertThat(told)
        .containsExactlyInAnyOrder(
            "sluice: F line 2: attachment.tree is 64; allowed: 0 to 63.",
            "sluice: F line 4: The body is empty.",
            "sluice: F line 5: body is more than 1048576 bytes; allowed: lines of at most 1048576"
                + " bytes.",
            "sluice: F line 6: 10.0.0.2/32 overlaps a prefix of subscriber s2. (prefixes[0] is"
                + " 10.0.0.2/32; allowed: a prefix that overlaps no other subscriber's)",
            "sluice: F line 7: There is no policy none. (policy is none; allowed: the id of an"
                + " existing policy)",
            "sluice: F line 8: There is no subscriber s9. (subscriber is s9; allowed: the id of an"
                + " existing subscriber)");
    assertThat(export())
        .isEqualTo(
            String.join("\n", GOLD, subscriber("s2", "10.0.0.2/32"), limit("l2", "s2")) + "\n");
  }

  @Test
  void whatWasExportedIsImportedElsewhereToEqualBytes() throws IOException {
    List<String> lines = new ArrayList<>(List.of(GOLD));
    for (int i = 0; i < 5_000; i++) {
      lines.add(subscriber("s" + i, "10.1.%d.%d/32".formatted(i / 256, i % 256)));
    }
    lines.add(limit("l", "s17"));
    Path file = write("in", lines.toArray(String[]::new));
    assertThat(served.run("import", file.toString()))
        .isEqualTo(new Ended(0, "5002 lines done, 0 refused\n", ""));
    String exported = export();
    assertThat(exported.lines()).hasSize(5_002);
    assertThat(export()).isEqualTo(exported);
    try (ServedStore other = new ServedStore(folder.resolve("other"))) {
      Path all = folder.resolve("export.ndjson");
      assertThat(other.run("import", all.toString()).exitCode()).isZero();
      Path again = folder.resolve("again.ndjson");
      assertThat(other.run("export", again.toString()).exitCode()).isZero();
      assertThat(again).hasSameBinaryContentAs(all);
    }
  }

  @Test
  void whatIsInForceIsExportedAndIsNoDifference() throws IOException {
    String suspended = subscriber("s1", "10.0.0.1/32").replace("}}}", "},\"suspended\":true}}");
    Path in = write("in", GOLD, suspended);
    assertThat(served.run("import", in.toString()).exitCode()).isZero();
    String exported = suspended.replace("true}}", "true},\"inForce\":{\"suspended\":true}}");
    assertThat(export()).isEqualTo(GOLD + "\n" + exported + "\n");
    Path declared = folder.resolve("declared.ndjson");
    assertThat(served.run("export", "--declared-only", declared.toString()).exitCode()).isZero();
    assertThat(declared).hasContent(GOLD + "\n" + suspended);
    for (Path file : List.of(folder.resolve("export.ndjson"), declared)) {
      assertThat(served.run("apply", "-f", file.toString(), "--dry-run").out())
          .isEqualTo("0 to add, 0 to change, 0 to delete; 2 as declared, 0 not in the files\n");
    }
    try (ServedStore other = new ServedStore(folder.resolve("other"))) {
      String file = folder.resolve("export.ndjson").toString();
      assertThat(other.run("apply", "-f", file).out()).endsWith("2 done, 0 refused\n");
    }
  }

  @Test
  void twoImportsAtOnceMakeBoth() throws Exception {
    List<String> some = new ArrayList<>(List.of(GOLD));
    List<String> others = new ArrayList<>(List.of(GOLD));
    for (int i = 0; i < 3_000; i++) {
      some.add(subscriber("a" + i, "10.1.%d.%d/32".formatted(i / 256, i % 256)));
      others.add(subscriber("b" + i, "10.2.%d.%d/32".formatted(i / 256, i % 256)));
    }
    Path first = write("some", some.toArray(String[]::new));
    Path second = write("others", others.toArray(String[]::new));
    CompletableFuture<Ended> beside =
        CompletableFuture.supplyAsync(() -> served.run("import", first.toString()));
    assertThat(served.run("import", second.toString()).exitCode()).isZero();
    assertThat(beside.get().exitCode()).isZero();
    assertThat(export().lines()).hasSize(6_001);
  }

  @Test
  void anApiThatIsNotThereIsTold() throws IOException {
    int port = served.port();
    served.close();
    assertThat(ServedStore.run(port, "export").err())
        .isEqualTo(
            "sluice: the API at http://127.0.0.1:%d/sluice/v1 cannot be reached; name another one"
                    .formatted(port)
                + " with --api\n");
    served = new ServedStore(folder.resolve("store"));
  }

  @Test
  void applyTellsWhatDiffersAndMakesIt() throws IOException {
    Path in =
        write(
            "in",
            GOLD,
            GOLD.replace("\"id\":\"gold\"", "\"id\":\"old\""),
            subscriber("s1", "10.0.0.1/32"),
            subscriber("s2", "10.0.0.2/32").replace("\"policy\":\"gold\"", "\"policy\":\"old\""),
            subscriber("s3", "10.0.0.3/32"),
            limit("l3", "s3"));
    assertThat(served.run("import", in.toString()).exitCode()).isZero();
    Path wanted = folder.resolve("wanted");
    write("wanted/policies.ndjson", GOLD);
    // It takes the address of one that is deleted, and its place in the order is before that.
    write("wanted/more/b.ndjson", subscriber("s2", "10.0.0.3/32"), subscriber("s4", "10.0.0.2/32"));
    write("wanted/more/one.json", subscriber("s1", "10.0.0.1/32").replace(",", ",\n  "));
    write("wanted/notes.txt", "for people");
    String before = export();

    String differences =
        """
        ~ subscriber s2
            policy: "old" -> "gold"
            prefixes: ["10.0.0.2/32"] -> ["10.0.0.3/32"]
        + subscriber s4 {"policy":"gold","prefixes":["10.0.0.2/32"],"attachment":{"port":0,"tree":3}}
        """;
    Ended planned = served.run("apply", "-f", wanted.toString(), "--dry-run");
    assertThat(planned.out())
        .isEqualTo(
            differences
                + "1 to add, 1 to change, 0 to delete; 2 as declared, 3 not in the files\n"
                + "nothing would be done, 1 refused\n");
    assertThat(planned.err()).contains("notes.txt");
    assertThat(export()).isEqualTo(before);

    Ended kept = served.run("apply", "-f", wanted.toString());
    assertThat(kept.exitCode()).as("s3 has the address still").isEqualTo(1);
    assertThat(kept.err()).contains("b.ndjson line 1: ").contains("10.0.0.3/32");
    assertThat(kept.out()).endsWith("0 done, 1 refused\n");
    assertThat(planned.exitCode()).isEqualTo(kept.exitCode());
    assertThat(planned.err()).isEqualTo(kept.err());
    assertThat(export()).isEqualTo(before);
    Ended foreseen = served.run("apply", "-f", wanted.toString(), "--prune", "--dry-run");
    assertThat(foreseen.exitCode()).isZero();
    assertThat(foreseen.out()).endsWith(" 0 not in the files\n");

    Ended pruned = served.run("apply", "-f", wanted.toString(), "--prune");
    assertThat(pruned.err()).doesNotContain("line");
    assertThat(pruned.exitCode()).isZero();
    assertThat(pruned.out())
        .contains("- subscriber s3 {\"policy\":\"gold\"")
        .contains("- rate limit l3 ")
        .contains("- policy old ");
    assertThat(export())
        .isEqualTo(
            String.join(
                    "\n",
                    GOLD,
                    subscriber("s1", "10.0.0.1/32"),
                    subscriber("s2", "10.0.0.3/32"),
                    subscriber("s4", "10.0.0.2/32"))
                + "\n");
    assertThat(served.run("apply", "-f", wanted.toString(), "--prune").out())
        .isEqualTo(
            "0 to add, 0 to change, 0 to delete; 4 as declared, 0 not in the files\n"
                + "0 done, 0 refused\n");
  }

  @Test
  void applyChangesNothingThatOthersChangedMeanwhile() throws IOException {
    Path in = write("in", GOLD, subscriber("s1", "10.0.0.1/32"), subscriber("s2", "10.0.0.2/32"));
    assertThat(served.run("import", in.toString()).exitCode()).isZero();
    Path wanted =
        write(
            "wanted.ndjson",
            GOLD,
            subscriber("s1", "10.0.0.11/32"),
            subscriber("s3", "10.0.0.3/32"),
            subscriber("s4", "10.0.0.4/32"));
    Path others =
        write(
            "others",
            subscriber("s1", "10.0.0.21/32"),
            subscriber("s2", "10.0.0.22/32"),
            subscriber("s3", "10.0.0.23/32"));
    Ended ended =
        served.run(
            "not in the files",
            () -> assertThat(served.run("import", others.toString()).exitCode()).isZero(),
            "apply",
            "-f",
            wanted.toString(),
            "--prune");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).endsWith("0 done, 3 refused\n");
    assertThat(ended.err().lines().map(line -> line.replace(wanted.toString(), "W")))
        .containsExactlyInAnyOrder(
            "sluice: W line 2: was changed by others since it was compared; apply again",
            "sluice: W line 3: was changed by others since it was compared; apply again",
            "sluice: deleting subscriber s2: was changed by others since it was compared; apply"
                + " again");
    assertThat(export())
        .isEqualTo(
            String.join(
                    "\n",
                    GOLD,
                    subscriber("s1", "10.0.0.21/32"),
                    subscriber("s2", "10.0.0.22/32"),
                    subscriber("s3", "10.0.0.23/32"))
                + "\n");
    assertThat(served.run("apply", "-f", wanted.toString(), "--prune").exitCode()).isZero();
  }

  @Test
  void twoSubscribersExchangeTheirAddressesAndLimits() throws IOException {
    Path in =
        write(
            "in",
            GOLD,
            subscriber("s1", "10.0.0.1/32"),
            subscriber("s2", "10.0.0.2/32"),
            limit("l1", "s1"),
            limit("l2", "s2"));
    assertThat(served.run("import", in.toString(), "--atomic"))
        .isEqualTo(new Ended(0, "5 lines done, 0 refused\n", ""));
    Path wanted =
        write(
            "wanted.ndjson",
            GOLD,
            subscriber("s1", "10.0.0.2/32"),
            subscriber("s2", "10.0.0.1/32"),
            limit("l1", "s2"),
            limit("l2", "s1"));
    Ended foreseen = served.run("apply", "-f", wanted.toString(), "--dry-run");
    assertThat(foreseen.exitCode()).isZero();
    assertThat(served.run("apply", "-f", wanted.toString()).out()).endsWith("4 done, 0 refused\n");
    assertThat(export()).isEqualTo(Files.readString(wanted));
    assertThat(served.run("import", wanted.toString(), "--atomic").exitCode()).isZero();
    Path wrong = write("wrong", subscriber("s3", "10.0.0.3/32"), subscriber("s4", "10.0.0.1/32"));
    Ended refused = served.run("import", wrong.toString(), "--atomic");
    assertThat(refused.out()).isEqualTo("0 lines done, 1 refused\n");
    assertThat(refused.err())
        .startsWith(
            "sluice: " + wrong + " line 2: 10.0.0.1/32 overlaps a prefix of subscriber s2.");
    assertThat(export()).isEqualTo(Files.readString(wanted));
  }

  @Test
  void moreThanASetHoldsIsMadeInSetsThatDoNotNeedEachOther() throws IOException {
    List<String> lines = new ArrayList<>(List.of(GOLD));
    for (int i = 0; i < 10_500; i++) {
      lines.add(subscriber("s%05d".formatted(i), "10.1.%d.%d/32".formatted(i / 256, i % 256)));
    }
    List<String> mistaken = new ArrayList<>(lines);
    mistaken.set(10_500, mistaken.get(10_500).replace("gold", "none"));
    Path wrong = write("wanted.ndjson", mistaken.toArray(String[]::new));
    Ended warned = served.run("apply", "-f", wrong.toString(), "--dry-run");
    assertThat(warned.out())
        .endsWith(
            """
            10501 to add, 0 to change, 0 to delete; 0 as declared, 0 not in the files
            in 3 sets that do not need each other; each has at most 10000 changes and 16777216 bytes
            set 1, 1 change: would be done
            set 2, 9999 changes: would be done
            set 3, 501 changes: nothing would be done, 1 refused
            each set was checked with the policies of the first, and without the others
            """);
    assertThat(export()).isEmpty();
    Ended some = served.run("apply", "-f", wrong.toString());
    assertThat(some.out())
        .contains("\nin 3 sets that do not need each other; ")
        .endsWith("10000 done, 1 refused\n");
    assertThat(some.err()).isEqualTo(warned.err()).contains("There is no policy none.");
    assertThat(some.exitCode()).isEqualTo(warned.exitCode()).isEqualTo(1);
    Path wanted = write("wanted.ndjson", lines.toArray(String[]::new));
    assertThat(served.run("apply", "-f", wanted.toString()).out())
        .endsWith("501 done, 0 refused\n");
    // Each takes the address of the one after it, in pairs.
    List<String> exchanged = new ArrayList<>(List.of(GOLD));
    for (int i = 0; i < 10_500; i++) {
      int other = i ^ 1;
      exchanged.add(
          subscriber("s%05d".formatted(i), "10.1.%d.%d/32".formatted(other / 256, other % 256)));
    }
    Path pairs = write("pairs.ndjson", exchanged.toArray(String[]::new));
    assertThat(served.run("apply", "-f", pairs.toString()).out())
        .endsWith("10500 done, 0 refused\n");
    assertThat(export()).isEqualTo(Files.readString(pairs));
    Path none = write("none.ndjson", GOLD.replace("\"id\":\"gold\"", "\"id\":\"other\""));
    Ended emptied = served.run("apply", "-f", none.toString(), "--prune", "--dry-run");
    assertThat(emptied.out())
        .endsWith(
            """
            set 4, 1 change: not checked, since it deletes policies when all others are made
            each set was checked with the policies of the first, and without the others
            """);
    assertThat(emptied.exitCode()).isZero();
    assertThat(served.run("apply", "-f", none.toString(), "--prune").out())
        .endsWith("10502 done, 0 refused\n");
  }

  @Test
  void filesThatAreWrongChangeNothing() throws IOException {
    write("wanted/a.ndjson", GOLD, subscriber("s1", "10.0.0.1/33"), "{}");
    write("wanted/b.json", GOLD);
    write("wanted/d.json", GOLD.replace("}}}", "}},\"ifMatch\":\"*\"}"));
    write("wanted/c.ndjson", "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"x\"}");
    Path wanted = folder.resolve("wanted");
    Ended ended = served.run("apply", "-f", wanted.toString());
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err().lines())
        .satisfiesExactly(
            one -> assertThat(one).contains("a.ndjson line 2: prefixes[0] is "),
            two -> assertThat(two).contains("a.ndjson line 3: op is "),
            three -> assertThat(three).contains("b.json: policy gold is in ").contains("line 1"),
            four -> assertThat(four).contains("c.ndjson line 1: op is \"delete\""),
            five -> assertThat(five).contains("d.json: has ifMatch or ifNoneMatch; allowed: "));
    assertThat(export()).isEmpty();
    for (String none : List.of("none", "export.ndjson/x")) {
      Ended refused = served.run("apply", "-f", folder.resolve(none).toString());
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err())
          .contains("--filename is '")
          .contains("allowed: a folder with files");
    }
  }
}
