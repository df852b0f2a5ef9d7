package net.sluice.it.p4;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The literals of a Java source; comments hold none.
 *
 * @param file relative to the project's root
 * @param strings contents of string literals and text blocks, escapes as written
 * @param integers values of hexadecimal integer literals of up to 64 bits
 * @param code the text without comments and strings
 */
record JavaSource(Path file, List<String> strings, List<Long> integers, String code) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*+"
              + "|/\\*.*?\\*/"
              + "|\"\"\"(?<block>.*?)(?<!\\\\)\"\"\""
              + "|\"(?<string>(?:\\\\.|[^\"\\\\\\n])*+)\""
              + "|'(?:\\\\.|[^'\\\\])[^']*+'"
              + "|\\b0[xX](?<hex>[0-9a-fA-F_]++)[lL]?\\b",
          Pattern.DOTALL);

  /** The literals of a text. */
  static JavaSource of(Path file, String text) {
    List<String> strings = new ArrayList<>();
    List<Long> integers = new ArrayList<>();
    StringBuilder code = new StringBuilder();
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      if (token.group("block") != null) {
        strings.add(token.group("block"));
      } else if (token.group("string") != null) {
        strings.add(token.group("string"));
      } else if (token.group("hex") != null) {
        integers.add(Long.parseUnsignedLong(token.group("hex").replace("_", ""), 16));
      }
      token.appendReplacement(code, token.group("hex") == null ? " " : "$0");
    }
    token.appendTail(code);
    return new JavaSource(file, strings, integers, code.toString());
  }

  /** All main sources of the product's modules. */
  static List<JavaSource> ofProduct() {
    Path root = projectRoot();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> root.relativize(file).toString().contains("src/main/java/"))
          .sorted()
          .map(file -> of(root.relativize(file), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the sources below " + root, e);
    }
  }

  /** True if the file is below a directory given relative to the project's root. */
  boolean isBelow(String directory) {
    return file.startsWith(directory);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static Path projectRoot() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("pipeconf")) && Files.isDirectory(at.resolve("it-tests"))) {
        return at;
      }
    }
    throw new IllegalStateException("not run inside the project: " + Path.of("").toAbsolutePath());
  }
}
