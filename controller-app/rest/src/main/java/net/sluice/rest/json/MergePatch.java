package net.sluice.rest.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Changes of a JSON document as another one tells them (RFC 7396). */
public final class MergePatch {
  /** Media type of such a document. */
  public static final String MEDIA_TYPE = "application/merge-patch+json";

  private MergePatch() {}

  /**
   * The document {@code target} as {@code patch} changes it: members of objects are set, or taken
   * away by null; anything else is replaced as a whole. A member that the patch has twice is there
   * twice, so that a reader refuses it.
   */
  public static JsonValue apply(JsonValue target, JsonValue patch) {
    if (!(patch instanceof JsonValue.Obj changes)) {
      return patch;
    }
    Map<String, JsonValue> merged = new LinkedHashMap<>();
    if (target instanceof JsonValue.Obj old) {
      old.members().forEach(member -> merged.put(member.name(), member.value()));
    }
    Set<String> seen = new HashSet<>();
    List<JsonValue.Member> repeated = new ArrayList<>();
    for (JsonValue.Member change : changes.members()) {
      String name = change.name();
      if (!seen.add(name)) {
        repeated.add(change);
        repeated.add(change);
      } else if (change.value() == JsonValue.Literal.NULL) {
        merged.remove(name);
      } else {
        JsonValue old = merged.getOrDefault(name, JsonValue.Literal.NULL);
        merged.put(name, apply(old, change.value()));
      }
    }
    List<JsonValue.Member> members = new ArrayList<>();
    merged.forEach((name, value) -> members.add(new JsonValue.Member(name, value)));
    members.addAll(repeated);
    return new JsonValue.Obj(members);
  }
}
