package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.sluice.core.store.StoreException;

/**
 * The commit record of what is kept for one switch. Replacing it, if it is still what was read,
 * commits a batch; raising its epoch bars whoever led before.
 *
 * @param epoch of the instance that may write; one more at each takeover
 * @param sequence number of the last batch committed; each is higher than all before it
 * @param nonce changes whenever a replacement that may be under way is to miss
 * @param owner who leads, for people
 * @param parts number of values the last batch's changes are in; 0 if they are in {@code inline}
 * @param partsEpoch epoch under which those values were written
 * @param inline the last batch's changes
 * @param joint the commit of several switches that the last batch is a part of and that decides
 *     whether it counts; empty if it counts
 */
record CommitRecord(
    long epoch,
    long sequence,
    int nonce,
    String owner,
    int parts,
    long partsEpoch,
    byte[] inline,
    String joint) {
  /** Version of this form, and of {@link RecordBlock}. */
  static final int FORMAT = 1;

  /** The same with a joint commit. */
  static final int JOINT_FORMAT = 2;

  /** Of a store in which nothing has been committed. */
  static CommitRecord first(String owner) {
    return new CommitRecord(1, 0, 0, owner, 0, 1, new byte[0], "");
  }

  /** The same under a new leader. */
  CommitRecord takenOverBy(String newOwner) {
    return new CommitRecord(epoch + 1, sequence, nonce, newOwner, parts, partsEpoch, inline, joint);
  }

  /** The same under the same leader, but another value. */
  CommitRecord renewed() {
    return withNonce(nonce + 1);
  }

  /** The same with another nonce. */
  CommitRecord withNonce(int other) {
    return new CommitRecord(epoch, sequence, other, owner, parts, partsEpoch, inline, joint);
  }

  /** The same as a part of a joint commit; empty for one that has been decided to count. */
  CommitRecord in(String commit) {
    return new CommitRecord(epoch, sequence, nonce, owner, parts, partsEpoch, inline, commit);
  }

  /** Without the last batch, which has been decided not to count. */
  CommitRecord undone() {
    return new CommitRecord(epoch, sequence, nonce + 1, owner, 0, epoch, new byte[0], "");
  }

  /** With a batch more of that number, whose changes are in the value. */
  CommitRecord next(long number, byte[] changes) {
    return new CommitRecord(epoch, number, nonce, owner, 0, epoch, changes, "");
  }

  /** With a batch more of that number, whose changes are in {@code count} values. */
  CommitRecord next(long number, int count) {
    return new CommitRecord(epoch, number, nonce, owner, count, epoch, new byte[0], "");
  }

  /** Key of one of the values that the last batch's changes are in. */
  String partKey(int part) {
    return "part-" + partsEpoch + "-" + sequence + "-" + part;
  }

  byte[] encode() {
    byte[] name = owner.getBytes(StandardCharsets.UTF_8);
    byte[] commit = joint.getBytes(StandardCharsets.UTF_8);
    int size = 1 + 8 + 8 + 4 + 2 + name.length + 4 + 8 + inline.length;
    ByteBuffer out =
        ByteBuffer.allocate(joint.isEmpty() ? size : size + 2 + commit.length)
            .put((byte) (joint.isEmpty() ? FORMAT : JOINT_FORMAT))
            .putLong(epoch)
            .putLong(sequence)
            .putInt(nonce)
            .putShort((short) name.length)
            .put(name)
            .putInt(parts)
            .putLong(partsEpoch);
    if (!joint.isEmpty()) {
      out.putShort((short) commit.length).put(commit);
    }
    return out.put(inline).array();
  }

  static CommitRecord decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int format = in.get();
      if (format != FORMAT && format != JOINT_FORMAT) {
        throw new StoreException(
            "the cluster's store has format "
                + format
                + "; this release reads formats "
                + FORMAT
                + " and "
                + JOINT_FORMAT
                + "; nothing was changed");
      }
      long epoch = in.getLong();
      long sequence = in.getLong();
      int nonce = in.getInt();
      byte[] owner = new byte[in.getShort()];
      in.get(owner);
      int parts = in.getInt();
      long partsEpoch = in.getLong();
      byte[] joint = new byte[format == JOINT_FORMAT ? in.getShort() : 0];
      in.get(joint);
      byte[] inline = new byte[in.remaining()];
      in.get(inline);
      return new CommitRecord(
          epoch,
          sequence,
          nonce,
          new String(owner, StandardCharsets.UTF_8),
          parts,
          partsEpoch,
          inline,
          new String(joint, StandardCharsets.UTF_8));
    } catch (BufferUnderflowException e) {
      throw new StoreException("the commit record of the cluster's store is cut short", e);
    }
  }
}
