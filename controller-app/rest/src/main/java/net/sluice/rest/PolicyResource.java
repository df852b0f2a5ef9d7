package net.sluice.rest;

import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.core.Kind;
import net.sluice.core.Page;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.json.DeclarationReader;
import net.sluice.rest.json.JsonValue;

/** {@code policies} and {@code policies/{id}}: SLA classes. */
@Path("policies")
public final class PolicyResource extends DeclarationResource {
  private final Controller controller;

  /** A resource of what {@code controller} holds. */
  public PolicyResource(Controller controller) {
    super(controller, Kind.POLICY);
    this.controller = controller;
  }

  @Override
  Page<?> page(long offset, int limit) {
    return controller.policies(offset, limit);
  }

  @Override
  Change declaring(String id, JsonValue value) throws Refusal {
    return new Change.PutPolicy(DeclarationReader.policy(id, value));
  }

  @Override
  Change deleting(String id) {
    return new Change.DeletePolicy(id);
  }
}
