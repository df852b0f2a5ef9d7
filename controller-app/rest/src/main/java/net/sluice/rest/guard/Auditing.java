package net.sluice.rest.guard;

import net.sluice.rest.answer.JsonAnswer;

/**
 * The log that has the changes of a request that brings many, each before it is made.
 *
 * @param who writes the fields that say who asks
 */
public record Auditing(AuditLog log, JsonAnswer.Content who) {
  /** An answer that makes its request's changes while it is written. */
  public interface Changing {
    /** Has the changes noted; before anything is written. */
    void audited(Auditing by);
  }
}
