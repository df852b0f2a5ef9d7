package net.sluice.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.PathElem;
import org.junit.jupiter.api.Test;

class GnmiPathsTest {

  @Test
  void keysHoldWhatTheBracketsSay() {
    Path path = GnmiPaths.parse("/interfaces/interface[name=1/1/1]/state/ifindex");
    assertThat(path.getElemList())
        .extracting(PathElem::getName)
        .containsExactly("interfaces", "interface", "state", "ifindex");
    assertThat(path.getElem(1).getKeyMap()).containsOnlyKeys("name").containsValue("1/1/1");
    assertThat(path.getOrigin()).isEmpty();
  }

  @Test
  void aPathMayHaveAnOriginSeveralKeysAndNoSlashInFront() {
    Path path = GnmiPaths.parse("openconfig:a/b[x=1:2][y=\\]\\\\=]");
    assertThat(path.getOrigin()).isEqualTo("openconfig");
    assertThat(path.getElem(1).getKeyMap()).containsEntry("x", "1:2").containsEntry("y", "]\\=");
    assertThat(GnmiPaths.print(path)).isEqualTo("openconfig:/a/b[x=1:2][y=\\]\\\\=]");
  }

  @Test
  void theRootHasNoElements() {
    assertThat(GnmiPaths.parse("/")).isEqualTo(Path.getDefaultInstance());
    assertThat(GnmiPaths.parse("")).isEqualTo(Path.getDefaultInstance());
    assertThat(GnmiPaths.print(Path.getDefaultInstance())).isEqualTo("/");
  }

  @Test
  void malformedTextIsRefusedWithThePlace() {
    assertRefused("/a//b", "path '/a//b', character 4: an element without a name");
    assertRefused("/a[b]", "path '/a[b]', character 5: a key must be [name=value]");
    assertRefused("/a[=b]", "path '/a[=b]', character 4: a key must be [name=value]");
    assertRefused("/a[b=c", "path '/a[b=c', character 7: a bracket that is not closed");
    assertRefused("/a[b=c]d", "path '/a[b=c]d', character 8: a slash must follow a key");
    assertRefused("/a[b=c][b=d]", "path '/a[b=c][b=d]', character 13: key 'b' twice");
    assertRefused("/a\\", "path '/a\\', character 4: a backslash with nothing behind it");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> GnmiPaths.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aPathGoesBelowItsPrefix() {
    Path prefix = GnmiPaths.parse("openconfig:/a").toBuilder().setTarget("t").build();
    Path joined = GnmiPaths.join(prefix, GnmiPaths.parse("b/c"));
    assertThat(GnmiPaths.print(joined)).isEqualTo("openconfig:/a/b/c");
    assertThat(joined.getTarget()).isEqualTo("t");
  }

  @Test
  void wildcardsAreFound() {
    assertThat(GnmiPaths.hasWildcard(GnmiPaths.parse("/a[b=c]/d"))).isFalse();
    assertThat(GnmiPaths.hasWildcard(GnmiPaths.parse("/a[b=*]"))).isTrue();
    assertThat(GnmiPaths.hasWildcard(GnmiPaths.parse("/*"))).isTrue();
    assertThat(GnmiPaths.hasWildcard(GnmiPaths.parse("/a/..."))).isTrue();
  }

  @Property(seed = "1")
  void whatIsPrintedParsesBack(@ForAll("paths") Path path) {
    assertThat(GnmiPaths.parse(GnmiPaths.print(path))).isEqualTo(path);
  }

  @Provide
  Arbitrary<Path> paths() {
    Arbitrary<String> text =
        Arbitraries.strings().withChars("ab/[]=\\:. *ü").ofMinLength(1).ofMaxLength(6);
    Arbitrary<PathElem> elem =
        Combinators.combine(text, Arbitraries.maps(text, text).ofMaxSize(2))
            .as((name, keys) -> PathElem.newBuilder().setName(name).putAllKey(keys).build());
    return Combinators.combine(elem.list().ofMaxSize(4), Arbitraries.of("", "openconfig"))
        .as((elems, origin) -> Path.newBuilder().setOrigin(origin).addAllElem(elems).build());
  }
}
