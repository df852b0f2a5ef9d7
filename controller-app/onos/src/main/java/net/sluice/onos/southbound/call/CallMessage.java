package net.sluice.onos.southbound.call;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import net.sluice.core.ControllerException;
import net.sluice.core.target.WriteCode;
import net.sluice.core.target.WriteResults;
import net.sluice.onos.cluster.MessageForm;
import net.sluice.onos.southbound.call.SwitchCalls.End;
import net.sluice.onos.southbound.call.SwitchCalls.Reading;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.store.cluster.messaging.MessageSubject;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * A call of the instance that leads to the instance that is a switch's master, as a message of the
 * cluster.
 *
 * @param number of {@link Kind#BEGIN} that of the takeover of the switch, otherwise of the session
 * @param body what is asked
 */
public record CallMessage(Kind kind, long number, byte[] body) {
  /** Where masters hear calls. */
  public static final MessageSubject SUBJECT = new MessageSubject("net.sluice.switch");

  /** Longer words are cut: a message's text has 65,535 bytes at most. */
  private static final int MOST_WORDS = 10_000;

  /** The calls; all but the first are {@link SwitchCalls}'. */
  public enum Kind {
    BEGIN,
    CHECK,
    WRITE,
    READ_TABLES,
    READ_KEYS
  }

  /**
   * The session that a {@link Kind#BEGIN} asks for.
   *
   * @param pipeconf what the switch has to run
   */
  public record Begun(DeviceId device, PiPipeconfId pipeconf) {}

  /** Begins a session, which is answered with its number. */
  public static CallMessage begin(DeviceId device, PiPipeconfId pipeconf, long epoch) {
    byte[] body =
        MessageForm.write(
            out -> {
              out.writeUTF(device.toString());
              out.writeUTF(pipeconf.id());
            });
    return new CallMessage(Kind.BEGIN, epoch, body);
  }

  /** {@link SwitchCalls#check}. */
  public static CallMessage check(long session) {
    return new CallMessage(Kind.CHECK, session, new byte[0]);
  }

  /** {@link SwitchCalls#write}. */
  public static CallMessage write(long session, List<Update> updates) {
    byte[] body = WriteRequest.newBuilder().addAllUpdates(updates).build().toByteArray();
    return new CallMessage(Kind.WRITE, session, body);
  }

  /** {@link SwitchCalls#read}. */
  public static CallMessage read(long session, List<Entity> wanted, boolean isTables) {
    byte[] body = ReadRequest.newBuilder().addAllEntities(wanted).build().toByteArray();
    return new CallMessage(isTables ? Kind.READ_TABLES : Kind.READ_KEYS, session, body);
  }

  /** The session to begin. */
  public Begun begun() {
    return MessageForm.read(
        body, in -> new Begun(DeviceId.deviceId(in.readUTF()), new PiPipeconfId(in.readUTF())));
  }

  /** The updates to write. */
  public List<Update> updates() {
    return parse(WriteRequest.parser(), body).getUpdatesList();
  }

  /** The entities to read. */
  public List<Entity> wanted() {
    return parse(ReadRequest.parser(), body).getEntitiesList();
  }

  /** The call as a message. */
  public byte[] encode() {
    return ByteBuffer.allocate(1 + Long.BYTES + body.length)
        .put((byte) kind.ordinal())
        .putLong(number)
        .put(body)
        .array();
  }

  /** The call of a message. */
  public static CallMessage decode(byte[] message) {
    return MessageForm.read(
        message,
        in -> new CallMessage(Kind.values()[in.readByte()], in.readLong(), in.readAllBytes()));
  }

  private static <T extends MessageLite> T parse(Parser<T> parser, byte[] bytes) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new ControllerException("a message of another instance is not understood: " + e, e);
    }
  }

  // ---------------------------------------------------------------- answers

  /** Why a call failed. */
  public static byte[] failed(String reason) {
    return MessageForm.write(
        out -> {
          out.writeBoolean(false);
          text(out, reason);
        });
  }

  /** A call was carried out, with what it brought. */
  public static byte[] done(MessageForm.Out content) {
    return MessageForm.write(
        out -> {
          out.writeBoolean(true);
          content.to(out);
        });
  }

  /** The content of an answer; throws what the call failed with. */
  public static <T> T answer(byte[] message, MessageForm.In<T> content) {
    return MessageForm.read(
        message,
        in -> {
          if (!in.readBoolean()) {
            throw new ControllerException(in.readUTF());
          }
          return content.from(in);
        });
  }

  /** The results of {@code count} updates. */
  public static byte[] written(int count, WriteResults results) {
    return done(
        out -> {
          out.writeInt(count);
          for (int i = 0; i < count; i++) {
            out.writeByte(results.code(i).ordinal());
            text(out, results.message(i));
          }
        });
  }

  /** The results of updates. */
  public static WriteResults written(byte[] answer) {
    return answer(
        answer,
        in -> {
          int count = in.readInt();
          WriteResults results = new WriteResults(count);
          for (int i = 0; i < count; i++) {
            results.set(i, WriteCode.values()[in.readByte()], in.readUTF());
          }
          return results;
        });
  }

  /** The answer of a reading. */
  public static byte[] read(Reading reading) {
    return done(
        out -> {
          out.writeByte(reading.end().ordinal());
          text(out, reading.reason());
          ReadResponse.newBuilder().addAllEntities(reading.entities()).build().writeTo(out);
        });
  }

  /** A reading. */
  public static Reading read(byte[] answer) {
    return answer(
        answer,
        in ->
            new Reading(
                End.values()[in.readByte()],
                in.readUTF(),
                parse(ReadResponse.parser(), in.readAllBytes()).getEntitiesList()));
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeUTF(text.substring(0, Math.min(text.length(), MOST_WORDS)));
  }
}
