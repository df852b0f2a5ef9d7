package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What all documents do. */
public abstract class DocumentsContract {
  /** The documents under test, and others of the same store. */
  protected Documents documents;

  protected Documents others;

  /** Opens a store without documents at first, and the same again after its end. */
  protected abstract NetworkStore open();

  /** Ends the store as a process does that is killed. */
  protected abstract void kill();

  @BeforeEach
  void openDocuments() {
    NetworkStore store = open();
    documents = store.documents("operations");
    others = store.documents("operations-2");
  }

  @AfterEach
  void endDocuments() {
    kill();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String text(String name) {
    return documents
        .get(name)
        .map(stored -> new String(stored.bytes(), StandardCharsets.UTF_8))
        .orElse("-");
  }

  private long version(String name) {
    return documents.get(name).map(Documents.Stored::version).orElse(Documents.ABSENT);
  }

  @Test
  void aDocumentIsWrittenIfItIsWhatIsExpected() {
    assertThat(documents.put("a", bytes("one"), 7)).isEmpty();
    long first = documents.put("a", bytes("one"), Documents.ABSENT).orElseThrow();
    assertThat(first).isNotEqualTo(Documents.ABSENT);
    assertThat(version("a")).isEqualTo(first);
    assertThat(documents.put("a", bytes("two"), Documents.ABSENT)).isEmpty();
    assertThat(text("a")).isEqualTo("one");
    long second = documents.put("a", bytes("two"), first).orElseThrow();
    assertThat(second).isNotEqualTo(first);
    assertThat(documents.put("a", bytes("three"), first)).isEmpty();
    assertThat(text("a")).isEqualTo("two");
    assertThat(version("a")).isEqualTo(second);
  }

  @Test
  void theSameBytesAreAnotherVersionToo() {
    long first = documents.put("a", bytes("same"), Documents.ABSENT).orElseThrow();
    long second = documents.put("a", bytes("same"), first).orElseThrow();
    assertThat(second).isNotEqualTo(first);
    documents.put("a", bytes("same"));
    assertThat(version("a")).isNotIn(first, second);
  }

  @Test
  void aDocumentIsDeletedIfItIsWhatIsExpected() {
    long version = documents.put("a", bytes("one"), Documents.ABSENT).orElseThrow();
    assertThat(documents.delete("a", Documents.ABSENT)).isFalse();
    assertThat(documents.delete("a", version + 1)).isFalse();
    assertThat(text("a")).isEqualTo("one");
    assertThat(documents.delete("a", version)).isTrue();
    assertThat(documents.get("a")).isEmpty();
    assertThat(documents.delete("a", version)).isFalse();
    assertThat(documents.delete("a", Documents.ABSENT)).isTrue();
  }

  @Test
  void unconditionallyADocumentIsWrittenOrDeletedWhateverThereIs() {
    documents.put("a", bytes("one"));
    documents.put("a", bytes("two"));
    assertThat(text("a")).isEqualTo("two");
    documents.delete("a");
    documents.delete("a");
    assertThat(documents.names()).isEmpty();
  }

  @Test
  void noVersionComesAgainThoughTheDocumentWasDeleted() {
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      versions.add(documents.put("a", bytes("again"), Documents.ABSENT).orElseThrow());
      documents.delete("a");
      kill();
      openDocuments();
    }
    assertThat(versions).doesNotHaveDuplicates();
  }

  @Test
  void namesAreThoseOfTheseDocumentsInOrder() {
    for (String name : List.of("b", "a/b", "a", "~", " ", "a b", "b".repeat(128))) {
      documents.put(name, bytes(name));
      others.put(name, bytes("another"));
    }
    others.put("z", bytes("z"));
    others.delete("a");
    assertThat(documents.names())
        .containsExactly(" ", "a", "a b", "a/b", "b", "b".repeat(128), "~");
    documents.names().forEach(name -> assertThat(text(name)).isEqualTo(name));
    assertThat(documents.names()).contains("a");
    assertThat(others.names()).contains("z").doesNotContain("a");
  }

  @Test
  void whatWasWrittenIsThereAfterAKill() {
    documents.put("a", bytes("one"));
    documents.put("b", bytes("two"));
    documents.delete("b");
    long version = version("a");
    kill();
    openDocuments();
    assertThat(documents.names()).containsExactly("a");
    assertThat(text("a")).isEqualTo("one");
    assertThat(documents.put("a", bytes("two"), version)).isPresent();
  }

  @Test
  void aDocumentMayBeEmptyOrOfTheMostBytes() {
    byte[] most = new byte[documents.maxBytes()];
    Arrays.fill(most, (byte) 'x');
    documents.put("most", most);
    documents.put("none", new byte[0]);
    assertThat(documents.get("most").orElseThrow().bytes()).isEqualTo(most);
    assertThat(text("none")).isEmpty();
    assertThatThrownBy(() -> documents.put("more", new byte[most.length + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "document \"more\" has %d bytes; allowed: 0 to %d", most.length + 1, most.length);
    assertThatThrownBy(() -> documents.put("more", new byte[most.length + 1], Documents.ABSENT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(documents.names()).containsExactly("most", "none");
  }

  @Test
  void whatIsNoNameIsRefused() {
    for (String name : List.of("", "a\nb", "\0", "\u00e4", "a".repeat(129))) {
      assertThatThrownBy(() -> documents.put(name, new byte[0]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allowed: 1 to 128 characters of ASCII");
      assertThat(documents.get(name)).isEmpty();
    }
  }

  @Test
  void ofThoseWhoWriteAtTheSameTimeOneIsFirst() throws Exception {
    documents.put("counter", bytes("0"));
    int threads = 4;
    int each = 25;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> ends = new ArrayList<>();
    try {
      for (int t = 0; t < threads; t++) {
        ends.add(pool.submit(() -> increment(each)));
      }
      for (Future<?> end : ends) {
        Object unused = end.get();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(text("counter")).isEqualTo(Integer.toString(threads * each));
  }

  private void increment(int times) {
    for (int i = 0; i < times; ) {
      Documents.Stored stored = documents.get("counter").orElseThrow();
      int value = Integer.parseInt(new String(stored.bytes(), StandardCharsets.UTF_8));
      OptionalLong put =
          documents.put("counter", bytes(Integer.toString(value + 1)), stored.version());
      i += put.isPresent() ? 1 : 0;
    }
  }
}
