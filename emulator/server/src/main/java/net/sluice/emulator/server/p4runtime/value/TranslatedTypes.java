package net.sluice.emulator.server.p4runtime.value;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4Types.P4NamedType;
import p4.config.v1.P4Types.P4NewTypeSpec;

/**
 * Types that P4Info has in another form than the program ({@code @p4runtime_translation}). Numbers
 * are taken as they are, whatever width P4Info gives them, as long as they fit in the program's;
 * strings stand for numbers as their {@link StringType} has it.
 */
public final class TranslatedTypes {

  private final Map<String, StringType> strings = new LinkedHashMap<>();

  private TranslatedTypes() {}

  /**
   * The types of a P4Info.
   *
   * @param portNames interfaces by port
   * @throws RpcException INVALID_ARGUMENT if the mappings in a type's annotation cannot be read
   */
  public static TranslatedTypes of(P4Info info, Map<Integer, String> portNames)
      throws RpcException {
    TranslatedTypes types = new TranslatedTypes();
    for (Map.Entry<String, P4NewTypeSpec> declared :
        new TreeMap<>(info.getTypeInfo().getNewTypesMap()).entrySet()) {
      P4NewTypeSpec spec = declared.getValue();
      if (spec.getTranslatedType().hasSdnString()) {
        StringType type =
            new StringType(declared.getKey(), spec.getTranslatedType().getUri(), portNames);
        for (String annotation : spec.getAnnotationsList()) {
          type.annotate(annotation);
        }
        types.strings.put(declared.getKey(), type);
      }
    }
    return types;
  }

  /** How the strings of a type are taken; null if it has none. */
  public StringType strings(P4NamedType type) {
    return strings(type.getName());
  }

  /** How the strings of a type are taken; null if it has none. */
  public StringType strings(String typeName) {
    return strings.get(typeName);
  }

  /** How ports are written in places that have no type of their own; null for as numbers. */
  public StringType ports() {
    for (StringType type : strings.values()) {
      if (type.isPort()) {
        return type;
      }
    }
    return null;
  }

  /** Goes on with the strings of the config before, as far as this one has the same types. */
  public void adopt(TranslatedTypes before) {
    strings.forEach(
        (name, type) -> {
          StringType same = before.strings.get(name);
          if (same != null) {
            type.adopt(same);
          }
        });
  }

  /** Whether a width in P4Info can be that of a number in the program. */
  public static boolean agree(int infoBits, boolean namedType, int programBits) {
    // Fields of types that have no width in P4, such as errors and enums, have 0 or -1 in P4Info.
    return infoBits == programBits || infoBits <= 0 || namedType;
  }
}
