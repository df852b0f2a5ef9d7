package net.sluice.onos.southbound.call;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.DataInputStream;
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

  private static final boolean DONE = true;
  private static final byte[] NOTHING = new byte[0];

  /** Longer words are cut: a message's text has 65,535 bytes at most. */
  private static final int MOST_WORDS = 10_000;

  /** The calls; all but the first are {@link SwitchCalls}'. */
  public enum Kind {
    BEGIN,
    CHECK,
    WRITE,
    LIST,
    FIND
  }

  /**
   * The session that a {@link Kind#BEGIN} asks for.
   *
   * @param pipeconf what the switch has to run
   */
  public record Begun(DeviceId device, PiPipeconfId pipeconf) {}

  /** Begins a session, which is answered with its number. */
  public static CallMessage begin(DeviceId device, PiPipeconfId pipeconf, long epoch) {
    return new CallMessage(
        Kind.BEGIN,
        epoch,
        MessageForm.write(
            out -> {
              out.writeUTF(device.toString());
              out.writeUTF(pipeconf.id());
            }));
  }

  /** {@link SwitchCalls#check}. */
  public static CallMessage check(long session) {
    return new CallMessage(Kind.CHECK, session, NOTHING);
  }

  /** {@link SwitchCalls#write}. */
  public static CallMessage write(long session, List<Update> updates) {
    return new CallMessage(
        Kind.WRITE,
        session,
        WriteRequest.newBuilder().addAllUpdates(updates).build().toByteArray());
  }

  /** A {@link Kind#LIST} or a {@link Kind#FIND}. */
  public static CallMessage read(Kind kind, long session, List<Entity> wanted) {
    return new CallMessage(
        kind, session, ReadRequest.newBuilder().addAllEntities(wanted).build().toByteArray());
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
          out.writeBoolean(!DONE);
          text(out, reason);
        });
  }

  /** The session has begun. */
  public static byte[] begun(long session) {
    return done(out -> out.writeLong(session));
  }

  /** The session stands. */
  public static byte[] checked() {
    return done(out -> {});
  }

  /** The results of {@code count} updates. */
  public static byte[] written(int count, WriteResults results) {
    return done(
        out -> {
          out.writeInt(count);
          for (int i = 0; i < count; i++) {
            out.writeByte(results.code(i).ordinal());
            if (results.code(i) != WriteCode.OK) {
              text(out, results.message(i));
            }
          }
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

  private static byte[] done(MessageForm.Out content) {
    return MessageForm.write(
        out -> {
          out.writeBoolean(DONE);
          content.to(out);
        });
  }

  /** The number of the session that has begun; throws what the call failed with, as all below. */
  public static long begun(byte[] answer) {
    return answer(answer, DataInputStream::readLong);
  }

  /** Null: the session stands. */
  public static Void checked(byte[] answer) {
    return answer(answer, in -> null);
  }

  /** The results of updates. */
  public static WriteResults written(byte[] answer) {
    return answer(
        answer,
        in -> {
          WriteResults results = new WriteResults(in.readInt());
          for (int i = 0; in.available() > 0; i++) {
            WriteCode code = WriteCode.values()[in.readByte()];
            if (code != WriteCode.OK) {
              results.set(i, code, in.readUTF());
            }
          }
          return results;
        });
  }

  /** The answer of a reading. */
  public static Reading read(byte[] answer) {
    return answer(
        answer,
        in ->
            new Reading(
                End.values()[in.readByte()],
                in.readUTF(),
                parse(ReadResponse.parser(), in.readAllBytes()).getEntitiesList()));
  }

  private static <T> T answer(byte[] message, MessageForm.In<T> content) {
    return MessageForm.read(
        message,
        in -> {
          if (in.readBoolean() != DONE) {
            throw new ControllerException(in.readUTF());
          }
          return content.from(in);
        });
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeUTF(text.substring(0, Math.min(text.length(), MOST_WORDS)));
  }
}
