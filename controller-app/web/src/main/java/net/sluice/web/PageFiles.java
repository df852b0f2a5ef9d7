package net.sluice.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the page, in memory: each as it is and compressed, by the path that browsers ask
 * for, relative to the page.
 */
final class PageFiles {
  /** The document that all else is loaded by. */
  static final String DOCUMENT = "";

  /** The folder of all other files. */
  static final String FOLDER = "page/";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=utf-8",
          "js", "text/javascript;charset=utf-8",
          "css", "text/css;charset=utf-8",
          "svg", "image/svg+xml");

  private static final List<String> OWN =
      List.of(
          "api.js",
          "app.js",
          "chart.js",
          "events.js",
          "format.js",
          "icon.svg",
          "live.js",
          "overview.js",
          "page.css",
          "parts.js",
          "ports.js",
          "simulate.js",
          "subscriber.js",
          "subscribers.js",
          "switches.js");

  /** Files of libraries that the page loads, as their publishers have made them. */
  private static final List<String> LIBRARIES =
      List.of(
          "htm/htm.module.js",
          "preact/hooks.module.js",
          "preact/preact.module.js",
          "uplot/uPlot.esm.js",
          "uplot/uPlot.min.css");

  /** The one script of the document: by which names modules know the libraries. */
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  private final Map<String, PageFile> byPath = new LinkedHashMap<>();
  private final String policy;

  /** A file. */
  static final class PageFile {
    private final String type;
    private final byte[] content;
    private final byte[] compressed;
    private final String tag;

    private PageFile(String type, byte[] content) {
      this.type = type;
      this.content = content;
      compressed = gzip(content);
      tag = Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(content));
    }

    /** Its media type. */
    String type() {
      return type;
    }

    /** A name of its content, which no other content has. */
    String tag() {
      return tag;
    }

    /** Whether there is less to send of it compressed. */
    boolean isCompressible() {
      return compressed.length < content.length;
    }

    /** Its bytes, not to be changed. */
    byte[] bytes(boolean isCompressed) {
      return isCompressed ? compressed : content;
    }
  }

  /**
   * The files for a host.
   *
   * @param api where the API is, relative to the page, with a slash at its end
   * @param login how callers prove who they are, as {@link PageServlet} has it
   */
  PageFiles(String api, String login) {
    String document =
        new String(read("page/index.html"), StandardCharsets.UTF_8)
            .replace("@api@", api)
            .replace("@login@", login);
    byPath.put(DOCUMENT, file("index.html", document.getBytes(StandardCharsets.UTF_8)));
    OWN.forEach(name -> byPath.put(FOLDER + name, file(name, read("page/" + name))));
    LIBRARIES.forEach(name -> byPath.put(FOLDER + "lib/" + name, file(name, read("lib/" + name))));
    Matcher map = IMPORT_MAP.matcher(document);
    if (!map.find()) {
      throw new IllegalStateException("the page's document has no import map");
    }
    policy =
        "default-src 'none'; script-src 'self' 'sha256-"
            + Base64.getEncoder()
                .encodeToString(sha256(map.group(1).getBytes(StandardCharsets.UTF_8)))
            + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
  }

  /** The file at a path. */
  Optional<PageFile> at(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  /** The page's rights to load and do things ({@code Content-Security-Policy}). */
  String policy() {
    return policy;
  }

  private static PageFile file(String name, byte[] content) {
    return new PageFile(TYPES.get(name.substring(name.lastIndexOf('.') + 1)), content);
  }

  private static byte[] read(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the page lacks its file " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
