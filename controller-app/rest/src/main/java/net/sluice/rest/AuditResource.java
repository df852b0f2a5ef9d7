package net.sluice.rest;

import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.northbound.caller.Role;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.guard.Needs;
import net.sluice.rest.request.AnswerThreads;
import net.sluice.rest.request.Query;

/** {@code audit}: who asked for which change, and what came of it. */
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public final class AuditResource {
  private static final String SINCE = "since";
  private static final long MAX_SEQUENCE = 999_999_999_999_999_999L;

  private final Supplier<Northbound> northbound;

  /** A resource of the audit log. */
  public AuditResource(Supplier<Northbound> northbound) {
    this.northbound = northbound;
  }

  /** The lines after a sequence number. */
  @GET
  @Needs(Role.ADMIN)
  public void list(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    Query query = new Query(uri, SINCE, Query.LIMIT);
    long since = query.number(SINCE, 0, 0, MAX_SEQUENCE);
    int limit = query.limit();
    query.refuseIfUnsound();
    AuditLog log = northbound.get().audit();
    AnswerThreads.read(response, () -> new JsonAnswer(json -> log.write(json, since, limit)).ok());
  }
}
