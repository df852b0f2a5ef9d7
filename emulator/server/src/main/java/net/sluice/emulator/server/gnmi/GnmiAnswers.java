package net.sluice.emulator.server.gnmi;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Kind;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.CapabilityResponse;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.GetResponse;
import net.sluice.gnmi.wire.ModelData;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.TypedValue;
import net.sluice.gnmi.wire.Update;
import net.sluice.gnmi.wire.UpdateResult;
import net.sluice.gnmi.wire.ext.Extension;

/** GnmiAnswers to Capabilities, Get and Set. */
record GnmiAnswers(SwitchTree tree, GnmiClock clock) {

  static final String VERSION = "0.10.0";
  private static final String OPENCONFIG = "OpenConfig working group";

  static final List<ModelData> MODELS =
      List.of(
          model("openconfig-interfaces", "3.8.1"),
          model("openconfig-if-ethernet", "2.18.0"),
          model("openconfig-p4rt", "0.4.0"),
          model("openconfig-qos", "2.2.0"),
          model("openconfig-hercules-qos", "0.1.0"));

  private static ModelData model(String name, String version) {
    return ModelData.newBuilder()
        .setName(name)
        .setOrganization(OPENCONFIG)
        .setVersion(version)
        .build();
  }

  CapabilityResponse capabilities() {
    return CapabilityResponse.newBuilder()
        .addAllSupportedModels(MODELS)
        .addSupportedEncodings(Encoding.PROTO)
        .addSupportedEncodings(Encoding.JSON_IETF)
        .addSupportedEncodings(Encoding.JSON)
        .setGNMIVersion(VERSION)
        .build();
  }

  GetResponse get(GetRequest request) throws GnmiException {
    checkExtensions(request.getExtensionList());
    checkModels(request.getUseModelsList());
    checkEncoding(request.getEncoding());
    Predicate<Leaf> wanted = wanted(request.getType());
    GetResponse.Builder response = GetResponse.newBuilder();
    List<Path> paths =
        request.getPathCount() == 0 ? List.of(Path.getDefaultInstance()) : request.getPathList();
    for (Path path : paths) {
      Path whole = tree.moduleNames().join(request.getPrefix(), path);
      Prefixed prefixed = new Prefixed(request.getPrefix());
      Notification.Builder notification =
          Notification.newBuilder().setTimestamp(clock.epochNanos());
      prefixed.into(notification);
      Map<Path, TreeNode> nodes = tree.walk().resolve(whole);
      if (nodes.isEmpty() && !GnmiPaths.hasWildcard(whole)) {
        throw GnmiException.notFound("path '" + GnmiPaths.print(whole) + "': nothing is there now");
      }
      for (Map.Entry<Path, TreeNode> node : nodes.entrySet()) {
        // A leaf is answered in its own type, see JsonEncoding.
        if (request.getEncoding() == Encoding.PROTO
            || (request.getEncoding() == Encoding.JSON && node.getValue() instanceof Leaf)) {
          TreeWalk.forEachLeaf(
              node.getKey(),
              node.getValue(),
              (where, leaf) -> {
                Object value = wanted.test(leaf) ? leaf.value() : null;
                if (value != null) {
                  notification.addUpdate(
                      Update.newBuilder()
                          .setPath(prefixed.relative(where))
                          .setVal(leaf.type().encode(value)));
                }
              });
        } else {
          TypedValue json =
              JsonEncoding.value(
                  node.getValue(), wanted, request.getEncoding() == Encoding.JSON_IETF);
          if (json != null) {
            notification.addUpdate(
                Update.newBuilder().setPath(prefixed.relative(node.getKey())).setVal(json));
          }
        }
      }
      if (notification.getUpdateCount() == 0 && !GnmiPaths.hasWildcard(whole)) {
        throw GnmiException.notFound(
            "path '" + GnmiPaths.print(whole) + "': has no value of type " + request.getType());
      }
      response.addNotification(notification);
    }
    return response.build();
  }

  private static Predicate<Leaf> wanted(GetRequest.DataType type) throws GnmiException {
    return switch (type) {
      case ALL -> leaf -> true;
      case CONFIG -> leaf -> leaf.kind() == Kind.CONFIG;
      case STATE -> leaf -> leaf.kind() == Kind.STATE || leaf.kind() == Kind.OPERATIONAL;
      case OPERATIONAL -> leaf -> leaf.kind() == Kind.OPERATIONAL;
      default -> throw GnmiException.invalid("type: must be ALL, CONFIG, STATE or OPERATIONAL");
    };
  }

  SetResponse set(SetRequest request) throws GnmiException {
    checkExtensions(request.getExtensionList());
    if (request.getUnionReplaceCount() > 0) {
      throw GnmiException.unimplemented("union_replace: is not done; use replace");
    }
    SetResponse.Builder response = SetResponse.newBuilder().setPrefix(request.getPrefix());
    tree.change(
        draft -> {
          SetTransaction transaction = new SetTransaction(tree, draft);
          for (Path path : request.getDeleteList()) {
            transaction.delete(tree.moduleNames().join(request.getPrefix(), path));
            result(response, path, UpdateResult.Operation.DELETE);
          }
          for (Update update : request.getReplaceList()) {
            transaction.replace(
                tree.moduleNames().join(request.getPrefix(), update.getPath()), update.getVal());
            result(response, update.getPath(), UpdateResult.Operation.REPLACE);
          }
          for (Update update : request.getUpdateList()) {
            transaction.update(
                tree.moduleNames().join(request.getPrefix(), update.getPath()), update.getVal());
            result(response, update.getPath(), UpdateResult.Operation.UPDATE);
          }
        });
    return response.setTimestamp(clock.epochNanos()).build();
  }

  private static void result(
      SetResponse.Builder response, Path path, UpdateResult.Operation operation) {
    response.addResponse(UpdateResult.newBuilder().setPath(path).setOp(operation));
  }

  static void checkEncoding(Encoding encoding) throws GnmiException {
    if (encoding != Encoding.PROTO && encoding != Encoding.JSON && encoding != Encoding.JSON_IETF) {
      throw GnmiException.unimplemented(
          "encoding " + encoding + ": must be PROTO, JSON_IETF or JSON");
    }
  }

  static void checkModels(List<ModelData> models) throws GnmiException {
    for (ModelData model : models) {
      if (MODELS.stream().noneMatch(served -> served.getName().equals(model.getName()))) {
        throw GnmiException.unimplemented(
            "use_models '"
                + model.getName()
                + "': must be one of "
                + String.join(", ", MODELS.stream().map(ModelData::getName).toList()));
      }
    }
  }

  static void checkExtensions(List<Extension> extensions) throws GnmiException {
    for (Extension extension : extensions) {
      throw GnmiException.unimplemented(
          "extension %s: no extension is done"
              .formatted(extension.getExtCase().name().toLowerCase(java.util.Locale.ROOT)));
    }
  }
}
