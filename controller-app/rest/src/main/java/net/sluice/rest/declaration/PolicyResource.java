package net.sluice.rest.declaration;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.core.Variant;
import net.sluice.core.Controller;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.answer.CurveWriter;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.ProblemDetail;
import net.sluice.rest.request.Query;

/** {@code policies}, {@code policies/{id}} and its curve: SLA classes. */
@Path("policies")
public final class PolicyResource extends DeclarationResource {
  private static final String FORMAT = "format";
  private static final String SVG = "image/svg+xml";
  private static final List<Variant> VARIANTS =
      Variant.mediaTypes(MediaType.APPLICATION_JSON_TYPE, MediaType.valueOf(SVG)).build();

  private final Controller controller;

  /** A resource of what {@code controller} holds, perhaps changed only under conditions. */
  public PolicyResource(
      Controller controller, BooleanSupplier needsConditions, Supplier<Operations> operations) {
    super(controller, Kind.POLICY, needsConditions, operations);
    this.controller = controller;
  }

  /** Answers the packet value of a policy by rate: as points, or drawn. */
  @GET
  @Path("{id}/curve")
  @Produces({MediaType.APPLICATION_JSON, SVG, ProblemDetail.JSON})
  public Response curve(@PathParam("id") String id, @Context UriInfo uri, @Context Request request)
      throws Refusal {
    Query query = new Query(uri, FORMAT);
    Optional<Boolean> isDrawn =
        query.parsed(
            FORMAT,
            "json or svg",
            text -> Optional.of(text.equals("svg")).filter(svg -> svg || text.equals("json")));
    query.refuseIfUnsound();
    ThroughputValueFunction function = function(id);
    Variant variant = request.selectVariant(VARIANTS);
    boolean isAccepted = variant != null && variant.getMediaType().toString().equals(SVG);
    return isDrawn.orElse(isAccepted)
        ? Response.ok(CurveWriter.svg(id, function), SVG).build()
        : new JsonAnswer(json -> CurveWriter.write(json, id, function)).ok();
  }

  private ThroughputValueFunction function(String id) throws Refusal {
    ThroughputValueFunction own = own(id);
    return own instanceof LikeFunction like ? own(like.policyId()) : own;
  }

  private ThroughputValueFunction own(String id) throws Refusal {
    return controller
        .find(Kind.POLICY, id)
        .map(found -> ((Policy) found.declared()).function())
        .orElseThrow(() -> notFound(id));
  }
}
