package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.Reader;
import net.sluice.emulator.server.p4runtime.request.Writer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.table.ActionProfile;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** A program with its P4Info, written to and read as a server does, without connections. */
public final class LoadedSwitch {

  public final Binding binding;
  private final ReentrantLock lock = new ReentrantLock();
  private final Writer writer;

  private final P4Text text;

  public LoadedSwitch(String name) {
    this(name, info -> {});
  }

  /** With changes to its P4Info. */
  public LoadedSwitch(String name, Consumer<P4Info.Builder> changes) {
    this(name, changes, Map.of());
  }

  /** With names of its ports. */
  public LoadedSwitch(
      String name, Consumer<P4Info.Builder> changes, Map<Integer, String> portNames) {
    ForwardingPipelineConfig.Builder changed = P4Text.config(name).toBuilder();
    changes.accept(changed.getP4InfoBuilder());
    ForwardingPipelineConfig config = changed.build();
    text = new P4Text(config.getP4Info());
    try {
      LoadedProgram program = LoadedProgram.load(config.getP4DeviceConfig().toByteArray(), 1);
      binding = Binding.of(config, program, portNames);
    } catch (RpcException e) {
      throw new IllegalArgumentException(e);
    }
    writer = new Writer(binding, lock);
  }

  public static byte[] golden(String name) {
    return P4Text.resource(name + ".golden.txt");
  }

  /** Says whether a port is up. */
  public void portUp(int port, boolean up) {
    for (ActionProfile profile : binding.program().state().profiles()) {
      profile.portUp(port, up);
    }
  }

  /** An entity from its text form, in which {@code $name} stands for the id of that name. */
  public Entity entity(String entity) {
    return text.entity(entity);
  }

  /** Writes; answers the refusal, or "done". */
  public String write(Update.Type type, String entity) {
    return write(type, entity(entity));
  }

  /** Writes; answers the refusal, or "done". */
  public String write(Update.Type type, Entity entity) {
    Update update = Update.newBuilder().setType(type).setEntity(entity).build();
    RpcException[] errors = writer.apply(List.of(update));
    return errors == null ? "done" : errors[0].code() + ": " + errors[0].getMessage();
  }

  /** Writes all or nothing; answers the first refusal, or "done". */
  public String writeAll(Update... updates) {
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

  public Update update(Update.Type type, String entity) {
    return Update.newBuilder().setType(type).setEntity(entity(entity)).build();
  }

  /** The program's own state. */
  public LoadedProgram program() {
    return binding.program();
  }

  /** Writes a batch; answers the refusal that is not the consequence of another, or "done". */
  public String write(WriteRequest.Atomicity atomicity, Update... updates) throws RpcException {
    RpcException[] errors = writer.apply(List.of(updates), atomicity);
    if (errors != null) {
      for (RpcException error : errors) {
        if (error != null && error.code() != Code.ABORTED) {
          return error.code() + ": " + error.getMessage();
        }
      }
    }
    return "done";
  }

  /** Reads; answers what was found, or throws what was refused. */
  public List<Entity> read(String filter) {
    return read(entity(filter));
  }

  /** Reads; answers what was found, or throws what was refused. */
  public List<Entity> read(Entity filter) {
    List<Entity> found = new ArrayList<>();
    try {
      Reader reader = new Reader(binding, lock, r -> found.addAll(r.getEntitiesList()));
      RpcException[] errors = reader.read(List.of(filter));
      if (errors != null) {
        throw new IllegalArgumentException(errors[0].code() + ": " + errors[0].getMessage());
      }
    } catch (RpcException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  /** Sends a packet into port 0; null if it is dropped. */
  public byte[] send(long nowMicros, int... bytes) {
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

  public static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }
}
