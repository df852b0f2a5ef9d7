package net.sluice.emulator.p4runtime;

import java.util.Map;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4Types.P4NamedType;
import p4.config.v1.P4Types.P4NewTypeSpec;

/**
 * Types that P4Info has in another form than the program ({@code @p4runtime_translation}). Numbers
 * are taken as they are, whatever width P4Info gives them, as long as they fit in the program's.
 */
final class TranslatedTypes {

  private TranslatedTypes() {}

  /**
   * Refuses types that controllers write as strings.
   *
   * @throws RpcException UNIMPLEMENTED if a key or an action's parameter has such a type
   */
  static void check(P4Info info) throws RpcException {
    Map<String, P4NewTypeSpec> types = info.getTypeInfo().getNewTypesMap();
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      for (P4InfoOuterClass.MatchField field : table.getMatchFieldsList()) {
        check(
            types,
            field.getTypeName(),
            "match field '" + field.getName() + "' of table '" + table.getPreamble().getName());
      }
    }
    for (P4InfoOuterClass.Action action : info.getActionsList()) {
      for (P4InfoOuterClass.Action.Param param : action.getParamsList()) {
        check(
            types,
            param.getTypeName(),
            "parameter '" + param.getName() + "' of action '" + action.getPreamble().getName());
      }
    }
  }

  private static void check(Map<String, P4NewTypeSpec> types, P4NamedType type, String what)
      throws RpcException {
    P4NewTypeSpec spec = types.get(type.getName());
    if (spec != null && spec.getTranslatedType().hasSdnString()) {
      throw RpcException.invalid(
          what
              + "' is of type '"
              + type.getName()
              + "', which P4Info has as strings; this switch takes numbers only");
    }
  }

  /** Whether a width in P4Info can be that of a number in the program. */
  static boolean agree(int infoBits, boolean namedType, int programBits) {
    // Fields of types that have no width in P4, such as errors, have none in P4Info either.
    return infoBits == programBits || infoBits == 0 || namedType;
  }
}
