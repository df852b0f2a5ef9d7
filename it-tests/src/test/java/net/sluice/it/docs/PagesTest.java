package net.sluice.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Both README.md and the pages in docs: their links, and the files, classes and tests they name.
 */
class PagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path README = ROOT.resolve("README.md");
  private static final Path EMULATOR = ROOT.resolve("emulator/README.md");

  /** Ends of the names of files that count as sources. */
  private static final Set<String> SOURCES =
      Set.of("java", "p4", "inc", "py", "proto", "xml", "yml", "sh", "sv", "profile", "stp");

  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern INLINE = Pattern.compile("`[^`\n]+`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final Pattern PAGE = Pattern.compile("docs/[\\w/-]+\\.md(#[\\w-]+)?");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)#(\\w+)`");
  private static final Pattern CAMEL = Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)`");

  /** Text of every page, by its file. */
  private static Map<Path, String> pages;

  /** Text of every source, by its file. */
  private static Map<Path, String> sources;

  private static Set<Path> files;

  @BeforeAll
  static void read() throws IOException {
    files = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes unused) {
            String name = folder.getFileName().toString();
            boolean made = name.equals("target") || name.startsWith(".") || name.equals("p4c-out");
            return made && !folder.equals(ROOT)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    pages = texts("md");
    pages
        .keySet()
        .removeIf(
            p -> !p.equals(README) && !p.equals(EMULATOR) && !p.startsWith(ROOT.resolve("docs")));
    sources = new TreeMap<>();
    SOURCES.forEach(end -> sources.putAll(texts(end)));
    assertThat(pages).hasSizeGreaterThan(10);
    assertThat(sources).hasSizeGreaterThan(500);
  }

  private static Map<Path, String> texts(String end) {
    return files.stream()
        .filter(file -> file.toString().endsWith("." + end))
        .collect(Collectors.toMap(file -> file, PagesTest::text, (a, b) -> a, TreeMap::new));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The anchors that a page's headings have on GitHub. */
  private static Set<String> anchors(String page) {
    Set<String> anchors = new HashSet<>();
    for (Matcher heading = HEADING.matcher(FENCED.matcher(page).replaceAll("")); heading.find(); ) {
      String anchor =
          heading
              .group(1)
              .replaceAll("\\]\\([^)]*\\)", "")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\w\\- ]", "")
              .replace(' ', '-');
      for (int again = 1; !anchors.add(anchor); again++) {
        anchors.add(anchor + "-" + again);
      }
    }
    return anchors;
  }

  private static List<String> links(Path page) {
    String prose = INLINE.matcher(FENCED.matcher(pages.get(page)).replaceAll("")).replaceAll("``");
    return LINK.matcher(prose)
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.startsWith("http"))
        .toList();
  }

  /** The file of a link on a page. */
  private static Path file(Path page, String link) {
    String name = link.replaceAll("#.*", "");
    return name.isEmpty() ? page : page.resolveSibling(name).normalize();
  }

  private static boolean leadsSomewhere(Path file, String link) {
    if (!Files.exists(file)) {
      return false;
    }
    int anchor = link.indexOf('#');
    return anchor < 0 || anchors(text(file)).contains(link.substring(anchor + 1));
  }

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> dead = new ArrayList<>();
    int count = 0;
    for (Path page : pages.keySet()) {
      for (String link : links(page)) {
        count++;
        if (!leadsSomewhere(file(page, link), link)) {
          dead.add(ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(count).isGreaterThan(50);
  }

  @Test
  void everyPageIsReachedFromTheReadme() {
    Set<Path> reached = new TreeSet<>(Set.of(README));
    Deque<Path> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      Path page = open.remove();
      for (String link : links(page)) {
        Path file = file(page, link);
        if (pages.containsKey(file) && reached.add(file)) {
          open.add(file);
        }
      }
    }
    assertThat(pages.keySet().stream().filter(page -> !reached.contains(page))).isEmpty();
  }

  @Test
  void pagesThatSourcesNameAreThere() {
    List<String> dead = new ArrayList<>();
    sources.forEach(
        (file, text) -> {
          for (Matcher page = PAGE.matcher(text); page.find(); ) {
            String name = page.group();
            if (!leadsSomewhere(ROOT.resolve(name.replaceAll("#.*", "")), name)) {
              dead.add(ROOT.relativize(file) + ": " + name);
            }
          }
        });
    assertThat(dead).isEmpty();
  }

  @Test
  void testsThatPagesNameAreThere() {
    Map<String, String> tests =
        sources.entrySet().stream()
            .filter(e -> e.getKey().toString().endsWith("Test.java"))
            .collect(
                Collectors.toMap(
                    e -> e.getKey().getFileName().toString().replace(".java", ""),
                    Map.Entry::getValue,
                    String::concat));
    List<String> missing = new ArrayList<>();
    int count = 0;
    for (Path page : pages.keySet()) {
      for (Matcher test = TEST.matcher(pages.get(page)); test.find(); count++) {
        if (!tests.getOrDefault(test.group(1), "").contains("void " + test.group(2) + "(")) {
          missing.add(ROOT.relativize(page) + ": " + test.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(count).isGreaterThan(50);
  }

  @Test
  void filesThatPagesNameAreThere() throws IOException {
    String folders;
    try (var top = Files.list(ROOT)) {
      folders =
          top.filter(Files::isDirectory)
              .map(folder -> Pattern.quote(folder.getFileName().toString()))
              .collect(Collectors.joining("|"));
    }
    Pattern path = Pattern.compile("`((?:" + folders + ")/[\\w./-]+)`");
    List<String> missing = new ArrayList<>();
    for (Path page : pages.keySet()) {
      for (Matcher name = path.matcher(pages.get(page)); name.find(); ) {
        boolean made = name.group(1).contains("target/") || name.group(1).contains("NAME");
        if (!made && !Files.exists(ROOT.resolve(name.group(1)))) {
          missing.add(ROOT.relativize(page) + ": " + name.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /**
   * Classes, tables, actions: whatever is written with capitals inside is a word of some source.
   */
  @Test
  void namesOfTheCodeAreThere() {
    Set<String> words = new HashSet<>();
    Pattern word = Pattern.compile("\\w+");
    sources
        .values()
        .forEach(text -> word.matcher(text).results().forEach(w -> words.add(w.group())));
    List<String> missing = new ArrayList<>();
    for (Path page : pages.keySet()) {
      for (Matcher name = CAMEL.matcher(pages.get(page)); name.find(); ) {
        if (!words.contains(name.group(1))) {
          missing.add(ROOT.relativize(page) + ": " + name.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }
}
