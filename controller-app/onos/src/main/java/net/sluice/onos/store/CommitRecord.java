package net.sluice.onos.store;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import net.sluice.core.store.StoreException;

/**
 * The commit record of what is kept for one switch. Replacing it, if it is still what was read,
 * commits a batch; raising its epoch bars whoever led before.
 *
 * @param epoch of the instance that may write; one more at each takeover
 * @param sequence number of the last batch committed; each is higher than all before it
 * @param nonce changes whenever a replacement that may be under way is to miss
 * @param owner who leads, for people
 * @param parts number of values the last batch's content is in; 0 if it is in {@code inline}
 * @param partsEpoch epoch under which those values were written
 * @param inline the last batch's content: its changes and {@link ClusterRecords their records}
 * @param recordBytes how many bytes of the content, at its end, the records have
 * @param joint the commit of several switches that the last batch is a part of and that decides
 *     whether it counts; empty if it counts
 * @param digests what tells whether the blocks are those that belong to this record; empty in one
 *     that an earlier release wrote
 */
record CommitRecord(
    long epoch,
    long sequence,
    int nonce,
    String owner,
    int parts,
    long partsEpoch,
    byte[] inline,
    int recordBytes,
    String joint,
    Optional<Digests> digests) {
  /**
   * {@link Replica#digest} of all blocks.
   *
   * @param before without the last batch
   * @param after with it
   */
  record Digests(long before, long after) {}

  /** Version of this form, and of {@link RecordBlock}. */
  static final int FORMAT = 1;

  /** The same with a joint commit. */
  static final int JOINT_FORMAT = 2;

  /** The same with a joint commit, or none, and digests. */
  static final int DIGEST_FORMAT = 3;

  /** The same with records. */
  static final int RECORD_FORMAT = 4;

  /** Of a store in which nothing has been committed, with its epoch. */
  static CommitRecord first(String owner, long epoch) {
    return new CommitRecord(epoch, 0, 0, owner, 0, epoch, new byte[0], 0, "", Optional.empty());
  }

  /**
   * The same under a new leader.
   *
   * @param knownEpoch that has been before, whatever this record says
   */
  CommitRecord takenOverBy(String newOwner, long knownEpoch) {
    return new CommitRecord(
        Math.max(epoch, knownEpoch) + 1,
        sequence,
        nonce,
        newOwner,
        parts,
        partsEpoch,
        inline,
        recordBytes,
        joint,
        digests);
  }

  /** The same behind a batch of that number. */
  CommitRecord following(long number) {
    return new CommitRecord(
        epoch, number, nonce, owner, parts, partsEpoch, inline, recordBytes, joint, digests);
  }

  /** The same under the same leader, but another value. */
  CommitRecord renewed() {
    return withNonce(nonce + 1);
  }

  /** The same with another nonce. */
  CommitRecord withNonce(int other) {
    return new CommitRecord(
        epoch, sequence, other, owner, parts, partsEpoch, inline, recordBytes, joint, digests);
  }

  /** The same as a part of a joint commit; empty for one that has been decided to count. */
  CommitRecord in(String commit) {
    return new CommitRecord(
        epoch, sequence, nonce, owner, parts, partsEpoch, inline, recordBytes, commit, digests);
  }

  /** Without the last batch, which has been decided not to count. */
  CommitRecord undone() {
    return new CommitRecord(
        epoch,
        sequence,
        nonce + 1,
        owner,
        0,
        epoch,
        new byte[0],
        0,
        "",
        digests.map(of -> new Digests(of.before, of.before)));
  }

  /** With a batch more of that number, whose content is in the value. */
  CommitRecord next(long number, byte[] content, int records, Digests with) {
    return new CommitRecord(
        epoch, number, nonce, owner, 0, epoch, content, records, "", Optional.of(with));
  }

  /** With a batch more of that number, whose content is in {@code count} values. */
  CommitRecord next(long number, int count, int records, Digests with) {
    return new CommitRecord(
        epoch, number, nonce, owner, count, epoch, new byte[0], records, "", Optional.of(with));
  }

  /** Key of one of the values that the last batch's changes are in. */
  String partKey(int part) {
    return "part-" + partsEpoch + "-" + sequence + "-" + part;
  }

  private int format() {
    return recordBytes > 0
        ? RECORD_FORMAT
        : digests.isPresent() ? DIGEST_FORMAT : joint.isEmpty() ? FORMAT : JOINT_FORMAT;
  }

  byte[] encode() {
    byte[] name = owner.getBytes(StandardCharsets.UTF_8);
    byte[] commit = joint.getBytes(StandardCharsets.UTF_8);
    int size = 1 + 8 + 8 + 4 + 2 + name.length + 4 + 8 + 2 + commit.length + 16 + 4 + inline.length;
    ByteBuffer out =
        ByteBuffer.allocate(size)
            .put((byte) format())
            .putLong(epoch)
            .putLong(sequence)
            .putInt(nonce)
            .putShort((short) name.length)
            .put(name)
            .putInt(parts)
            .putLong(partsEpoch);
    if (format() != FORMAT) {
      out.putShort((short) commit.length).put(commit);
    }
    digests.ifPresent(of -> out.putLong(of.before).putLong(of.after));
    if (format() == RECORD_FORMAT) {
      out.putInt(recordBytes);
    }
    out.put(inline);
    return Arrays.copyOf(out.array(), out.position());
  }

  static CommitRecord decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int format = in.get();
      if (format < FORMAT || format > RECORD_FORMAT) {
        throw new StoreException(
            "the cluster's store has format "
                + format
                + "; this release reads formats "
                + FORMAT
                + " to "
                + RECORD_FORMAT
                + "; nothing was changed");
      }
      long epoch = in.getLong();
      long sequence = in.getLong();
      int nonce = in.getInt();
      byte[] owner = new byte[in.getShort()];
      in.get(owner);
      int parts = in.getInt();
      long partsEpoch = in.getLong();
      byte[] joint = new byte[format == FORMAT ? 0 : in.getShort()];
      in.get(joint);
      Optional<Digests> digests =
          format >= DIGEST_FORMAT
              ? Optional.of(new Digests(in.getLong(), in.getLong()))
              : Optional.empty();
      int recordBytes = format == RECORD_FORMAT ? in.getInt() : 0;
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
          recordBytes,
          new String(joint, StandardCharsets.UTF_8),
          digests);
    } catch (BufferUnderflowException e) {
      throw new StoreException("the commit record of the cluster's store is cut short", e);
    }
  }
}
