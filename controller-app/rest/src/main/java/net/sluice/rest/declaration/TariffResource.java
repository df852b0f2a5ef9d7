package net.sluice.rest.declaration;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.Path;
import net.sluice.core.Controller;
import net.sluice.intents.model.Kind;
import net.sluice.rest.operation.Operations;

/** {@code tariffs} and {@code tariffs/{id}}: policies and rate limits as they are sold. */
@Path("tariffs")
public final class TariffResource extends DeclarationResource {
  /** A resource of what {@code controller} holds, perhaps changed only under conditions. */
  public TariffResource(
      Controller controller, BooleanSupplier needsConditions, Supplier<Operations> operations) {
    super(controller, Kind.TARIFF, needsConditions, operations);
  }
}
