package net.sluice.rest;

import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.core.Kind;
import net.sluice.core.Page;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.DeclarationReader;
import net.sluice.rest.json.JsonValue;

/** {@code rate-limits} and {@code rate-limits/{id}}: limits of subscribers, trees and ports. */
@Path("rate-limits")
public final class RateLimitResource extends DeclarationResource {
  private final Controller controller;

  /** A resource of what {@code controller} holds. */
  public RateLimitResource(Controller controller) {
    super(controller, Kind.RATE_LIMIT);
    this.controller = controller;
  }

  @Override
  Page<?> page(long offset, int limit) {
    return controller.rateLimits(offset, limit);
  }

  @Override
  Change declaring(String id, JsonValue value) throws Refusal {
    return new Change.PutRateLimit(DeclarationReader.rateLimit(id, value));
  }

  @Override
  Change deleting(String id) {
    return new Change.DeleteRateLimit(id);
  }
}
