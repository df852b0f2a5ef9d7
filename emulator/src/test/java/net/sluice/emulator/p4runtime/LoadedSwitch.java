package net.sluice.emulator.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import com.google.rpc.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.bmv2.LoadedProgram;
import net.sluice.emulator.bmv2.table.ActionProfile;
import net.sluice.emulator.switching.SwitchPacket;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A program with its P4Info, written to and read as a server does, without connections. */
final class LoadedSwitch {

  final Binding binding;
  private final ReentrantLock lock = new ReentrantLock();
  private final Writer writer;

  LoadedSwitch(String name) {
    try {
      P4Info.Builder info = P4Info.newBuilder();
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(new String(resource(name + ".p4info.txtpb"), StandardCharsets.UTF_8), info);
      binding =
          Binding.of(
              ForwardingPipelineConfig.newBuilder().setP4Info(info).build(),
              LoadedProgram.load(resource(name + ".json"), 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RpcException e) {
      throw new IllegalArgumentException(e);
    }
    writer = new Writer(binding, lock);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = LoadedSwitch.class.getResourceAsStream("/stf/" + name)) {
      return in.readAllBytes();
    }
  }

  static byte[] golden(String name) {
    try {
      return resource(name + ".golden.txt");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says whether a port is up. */
  void portUp(int port, boolean up) {
    for (ActionProfile profile : binding.program().state().profiles()) {
      profile.portUp(port, up);
    }
  }

  /** An entity from its text form, in which {@code $name} stands for the id of that name. */
  Entity entity(String text) {
    String resolved = text;
    P4Info info = binding.config().getP4Info();
    for (var t : info.getTablesList()) {
      resolved = id(resolved, t.getPreamble().getName(), t.getPreamble().getId());
    }
    for (var a : info.getActionsList()) {
      resolved = id(resolved, a.getPreamble().getName(), a.getPreamble().getId());
    }
    for (var m : info.getMetersList()) {
      resolved = id(resolved, m.getPreamble().getName(), m.getPreamble().getId());
    }
    for (var v : info.getValueSetsList()) {
      resolved = id(resolved, v.getPreamble().getName(), v.getPreamble().getId());
    }
    for (var p : info.getActionProfilesList()) {
      resolved = id(resolved, p.getPreamble().getName(), p.getPreamble().getId());
    }
    try {
      return TextFormat.parse(resolved, Entity.class);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(resolved, e);
    }
  }

  private static String id(String text, String name, int id) {
    return text.replace("$" + name + " ", Integer.toUnsignedString(id) + " ");
  }

  /** Writes; answers the refusal, or "done". */
  String write(Update.Type type, String entity) {
    Update update = Update.newBuilder().setType(type).setEntity(entity(entity)).build();
    RpcException[] errors = writer.apply(List.of(update));
    return errors == null ? "done" : errors[0].code() + ": " + errors[0].getMessage();
  }

  /** Writes all or nothing; answers the first refusal, or "done". */
  String writeAll(Update... updates) {
    try {
      RpcException[] errors =
          writer.apply(List.of(updates), WriteRequest.Atomicity.ROLLBACK_ON_ERROR);
      for (int i = 0; errors != null && i < errors.length; i++) {
        if (errors[i].code() != Code.ABORTED) {
          return errors[i].code() + ": " + errors[i].getMessage();
        }
      }
      return "done";
    } catch (RpcException e) {
      throw new IllegalStateException(e);
    }
  }

  Update update(Update.Type type, String entity) {
    return Update.newBuilder().setType(type).setEntity(entity(entity)).build();
  }

  /** The program's own state. */
  LoadedProgram program() {
    return binding.program();
  }

  /** Reads; answers what was found, or throws what was refused. */
  List<Entity> read(String filter) {
    List<Entity> found = new ArrayList<>();
    try {
      Reader reader = new Reader(binding, lock, r -> found.addAll(r.getEntitiesList()));
      RpcException[] errors = reader.read(List.of(entity(filter)));
      if (errors != null) {
        throw new IllegalArgumentException(errors[0].code() + ": " + errors[0].getMessage());
      }
    } catch (RpcException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  /** Sends a packet into port 0; null if it is dropped. */
  byte[] send(long nowMicros, int... bytes) {
    byte[] packet = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      packet[i] = (byte) bytes[i];
    }
    SwitchPacket p = binding.program().pipeline().acquire();
    p.setBytes(packet, 0, packet.length);
    binding.program().pipeline().ingress(p, 0, nowMicros);
    if (!p.dropped) {
      binding.program().pipeline().egress(p, nowMicros);
    }
    byte[] sent = p.dropped ? null : p.toByteArray();
    binding.program().pipeline().release(p);
    return sent;
  }

  static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }
}
