package net.sluice.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.Optional;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.core.StoreBackup;
import net.sluice.intents.validate.Refusal;
import net.sluice.rest.host.Capability;
import net.sluice.rest.problem.ProblemDetail;

/** {@code backup}: a copy of the store, for whoever administers the controller. */
@Path("backup")
@Produces(BackupResource.MEDIA_TYPE)
public final class BackupResource {
  /** Media type of a backup. */
  public static final String MEDIA_TYPE = "application/zip";

  private final Controller controller;
  private final Capability<Boolean> capability;

  /** A resource of the store of {@code controller}, if that can be copied. */
  public BackupResource(Controller controller, Capability<Boolean> capability) {
    this.controller = controller;
    this.capability = capability;
  }

  /** Copies the store as it is at one moment. */
  @POST
  @Operation(operationId = "backup", summary = "Copies the store.")
  @ApiResponse(
      responseCode = "200",
      description = "A ZIP archive, for restore.",
      content =
          @Content(
              mediaType = MEDIA_TYPE,
              schema = @Schema(implementation = String.class, format = "binary")))
  @ApiResponse(responseCode = "409", description = "Contradicts what is there.")
  public void post(@Context UriInfo uri, @Suspended AsyncResponse response) throws Refusal {
    new Query(uri).refuseIfUnsound();
    AnswerThreads.everything(response, this::answer);
  }

  private Response answer() {
    Optional<String> absent = capability.whyAbsent();
    Optional<StoreBackup> backup = absent.isPresent() ? Optional.empty() : controller.backUp();
    if (backup.isEmpty()) {
      return ProblemDetail.absent("backup", absent.orElse("its store cannot be copied")).response();
    }
    StreamingOutput copied =
        out -> {
          try (StoreBackup taken = backup.get()) {
            taken.writeTo(out);
          }
        };
    return Response.ok(copied, MEDIA_TYPE).build();
  }
}
