package net.sluice.rest.declaration;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import net.sluice.intents.model.Kind;
import net.sluice.rest.form.DeclarationForm;

/**
 * The places in lists as clients hold them: the id after which a page begins, behind a checksum of
 * the list. They are no secret and give no access: whoever makes one up gets a page that anybody
 * who may read the list could get.
 */
final class Cursor {
  private Cursor() {}

  /** The place in a list after an id. */
  static String text(Kind kind, List<String> filters, String afterId) {
    byte[] id = afterId.getBytes(StandardCharsets.ISO_8859_1);
    byte[] place =
        ByteBuffer.allocate(Integer.BYTES + id.length)
            .putInt(checksum(kind, filters, afterId))
            .put(id)
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(place);
  }

  /** The id after which a place is; empty if it is none of that list. */
  static Optional<String> afterId(String text, Kind kind, List<String> filters) {
    byte[] place;
    try {
      place = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (place.length <= Integer.BYTES) {
      return Optional.empty();
    }
    String id =
        new String(place, Integer.BYTES, place.length - Integer.BYTES, StandardCharsets.ISO_8859_1);
    return DeclarationForm.isId(kind, id)
            && ByteBuffer.wrap(place).getInt() == checksum(kind, filters, id)
        ? Optional.of(id)
        : Optional.empty();
  }

  private static int checksum(Kind kind, List<String> filters, String afterId) {
    CRC32 checksum = new CRC32();
    checksum.update((kind + "\n" + filters + "\n" + afterId).getBytes(StandardCharsets.UTF_8));
    return (int) checksum.getValue();
  }
}
