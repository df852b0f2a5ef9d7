package net.sluice.rest.declaration;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.intents.model.Kind;
import net.sluice.rest.operation.Operations;

/** {@code rate-limits} and {@code rate-limits/{id}}: limits of subscribers, trees and ports. */
@Path("rate-limits")
public final class RateLimitResource extends DeclarationResource {
  /** A resource of what {@code controller} holds, perhaps changed only under conditions. */
  public RateLimitResource(
      Controller controller, BooleanSupplier needsConditions, Supplier<Operations> operations) {
    super(controller, Kind.RATE_LIMIT, needsConditions, operations);
  }
}
