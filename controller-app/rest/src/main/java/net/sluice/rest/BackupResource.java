package net.sluice.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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
import net.sluice.core.store.BackupFile;
import net.sluice.intents.validate.Refusal;

/** {@code backup}: a copy of the store, for the role admin. */
@Path("backup")
@Produces(BackupResource.MEDIA_TYPE)
public final class BackupResource {
  /** Media type of a backup. */
  public static final String MEDIA_TYPE = BackupFile.MEDIA_TYPE;

  private final Controller controller;

  /** A resource of the store of {@code controller}. */
  public BackupResource(Controller controller) {
    this.controller = controller;
  }

  /** Copies the store as it is at one moment. */
  @POST
  @Operation(operationId = "backup", summary = "Copies the store.")
  @ApiResponse(
      responseCode = "200",
      description = "A gzip file, for restore in any host.",
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
    StoreBackup backup = controller.backUp();
    StreamingOutput copied =
        out -> {
          try (StoreBackup taken = backup) {
            taken.writeTo(out);
          }
        };
    return Response.ok(copied, MEDIA_TYPE).build();
  }
}
