package net.sluice.rest.operation;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import javax.ws.rs.core.StreamingOutput;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.Auditing;
import net.sluice.rest.problem.ProblemDetail;

/**
 * The answer to a request that goes on: how it is as it begins. It begins when this is written, so
 * that it is in the audit log by then.
 */
public final class AcceptedOperation implements StreamingOutput, Auditing.Changing, Auditing.Later {
  private final Operation operation;
  private final Operations.Work work;
  private final Operations operations;
  private Optional<Auditing> auditing = Optional.empty();

  AcceptedOperation(Operation operation, Operations.Work work, Operations operations) {
    this.operation = operation;
    this.work = work;
    this.operations = operations;
  }

  @Override
  public void audited(Auditing by) {
    auditing = Optional.of(by);
  }

  @Override
  public void audited(AuditLog.Entry entry) {
    operation.audited(entry);
  }

  @Override
  public String operation() {
    return operation.id();
  }

  @Override
  public void refused(ProblemDetail why) {
    operation.failed(why);
  }

  /** The log that has the changes of a request that brings many. */
  public Optional<Auditing> auditing() {
    return auditing;
  }

  @Override
  public void write(OutputStream output) throws IOException {
    try {
      work.make(operation, this);
    } catch (Exception e) {
      operations.answered(operation, e);
    }
    new JsonAnswer(operation::write).write(output);
  }
}
