package net.sluice.onos.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The finished application archive: what ONOS reads of it when it is installed. */
class ArchiveIT {
  private static final Path BUNDLE = Path.of(System.getProperty("sluice.bundle"));
  private static final Path ARCHIVE =
      BUNDLE.resolveSibling(BUNDLE.getFileName().toString().replaceAll("\\.jar$", ".oar"));

  private final Map<String, byte[]> files = new HashMap<>();

  @BeforeEach
  void unpack() throws IOException {
    try (ZipFile zip = new ZipFile(ARCHIVE.toFile())) {
      for (ZipEntry entry : zip.stream().filter(entry -> !entry.isDirectory()).toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          files.put(entry.getName(), in.readAllBytes());
        }
      }
    }
  }

  private Element xml(String name) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(files.get(name)));
    return document.getDocumentElement();
  }

  private static String text(Element parent, String tag) {
    return parent.getElementsByTagName(tag).item(0).getTextContent();
  }

  /** {@code mvn:group/artifact/version[/type/classifier]} as the path ONOS unpacks it to. */
  private static String repositoryPath(String mvn) {
    String[] parts = mvn.substring("mvn:".length()).split("/");
    String file =
        parts.length == 3
            ? parts[1] + "-" + parts[2] + ".jar"
            : parts[1] + "-" + parts[2] + "-" + parts[4] + "." + parts[3];
    return String.join("/", "m2", parts[0].replace('.', '/'), parts[1], parts[2], file);
  }

  @Test
  void theDescriptionNamesTheApplicationAndWhatItNeeds() throws Exception {
    Element app = xml("app.xml");
    assertThat(app.getAttribute("name")).isEqualTo("net.sluice");
    assertThat(app.getAttribute("title")).isEqualTo("Sluice subscriber SLAs");
    assertThat(app.getAttribute("category")).isEqualTo("Traffic Engineering");
    assertThat(app.getAttribute("origin")).isNotEmpty();
    assertThat(app.getAttribute("version")).matches("[0-9]+\\.[0-9]+\\.[0-9]+.*");
    assertThat(text(app, "description")).startsWith("Turns declared per-subscriber SLAs into");
    assertThat(List.of(app.getAttribute("apps").split(",")))
        .containsExactlyInAnyOrder(
            "org.onosproject.protocols.grpc",
            "org.onosproject.protocols.p4runtime",
            "org.onosproject.drivers.p4runtime",
            "org.onosproject.generaldeviceprovider");
    for (byte[] each : files.values()) {
      // No property of the build was left as it was written.
      if (each.length < 10_000) {
        assertThat(new String(each, StandardCharsets.ISO_8859_1)).doesNotContain("${");
      }
    }
  }

  @Test
  void theIconIsAPicture() throws IOException {
    BufferedImage icon = ImageIO.read(new ByteArrayInputStream(files.get("app.png")));
    assertThat(icon.getWidth()).isEqualTo(64);
    assertThat(icon.getHeight()).isEqualTo(64);
  }

  @Test
  void theBundleAndItsFeatureAreWhereTheDescriptionSays() throws Exception {
    Element app = xml("app.xml");
    String bundle = repositoryPath(text(app, "artifact"));
    String features = repositoryPath(app.getAttribute("featuresRepo"));
    assertThat(files.keySet()).containsExactlyInAnyOrder("app.xml", "app.png", bundle, features);
    assertThat(files.get(bundle)).isEqualTo(Files.readAllBytes(BUNDLE));
    Element repository = xml(features);
    assertThat(text(repository, "bundle")).isEqualTo(text(app, "artifact"));
    Element feature = (Element) repository.getElementsByTagName("feature").item(0);
    assertThat(feature.getAttribute("name")).isEqualTo(app.getAttribute("features"));
    assertThat(feature.getElementsByTagName("feature").item(0).getTextContent())
        .isEqualTo("onos-api");
  }
}
