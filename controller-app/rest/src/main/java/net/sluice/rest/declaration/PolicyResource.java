package net.sluice.rest.declaration;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.intents.model.Kind;
import net.sluice.rest.operation.Operations;

/** {@code policies} and {@code policies/{id}}: SLA classes. */
@Path("policies")
public final class PolicyResource extends DeclarationResource {
  /** A resource of what {@code controller} holds, perhaps changed only under conditions. */
  public PolicyResource(
      Controller controller, BooleanSupplier needsConditions, Supplier<Operations> operations) {
    super(controller, Kind.POLICY, needsConditions, operations);
  }
}
