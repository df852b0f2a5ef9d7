package net.sluice.rest.usage;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.container.AsyncResponse;
import javax.ws.rs.container.Suspended;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Controller;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Kind;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.Northbound;
import net.sluice.northbound.usage.Measured;
import net.sluice.northbound.usage.UsageSeries;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.AnswerThreads;

/** The traffic of something over a time, below its path; a resource for each kind of thing. */
public abstract class UsageResource {
  private final Controller controller;
  private final Supplier<Northbound> northbound;

  private UsageResource(Controller controller, Supplier<Northbound> northbound) {
    this.controller = controller;
    this.northbound = northbound;
  }

  /** The resources of all kinds of things. */
  public static Set<Object> all(Controller controller, Supplier<Northbound> northbound) {
    return Set.of(
        new OfSubscriber(controller, northbound),
        new OfPolicy(controller, northbound),
        new OfTree(controller, northbound),
        new OfPort(controller, northbound));
  }

  /** The time that is asked for; looked at before anything else of a request. */
  final UsageQuery query(UriInfo uri) throws Refusal {
    return UsageQuery.of(uri, northbound.get().usage());
  }

  /** Answers with the points of something; files are read for them. */
  final void answer(UsageQuery query, String id, Measured which, AsyncResponse response) {
    // Asking for the latest rates has them measured more often for a while.
    var unused = northbound.get().usage().latest(which);
    AnswerThreads.read(
        response,
        () -> {
          UsageSeries series = query.points(which);
          return new JsonAnswer(json -> UsageWriter.write(json, id, series)).ok();
        });
  }

  final void requireDeclared(Kind kind, String id) throws Refusal {
    if (controller.find(kind, id).isEmpty()) {
      throw new Refusal(List.of(Problem.notFound(kind, id)));
    }
  }

  final void requireSwitch(String name) throws Refusal {
    UsageQuery.requireSwitch(name, controller.switches());
  }

  /** {@code subscribers/{id}/usage}. */
  @Path("subscribers/{id}/usage")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class OfSubscriber extends UsageResource {
    /** A resource of the subscribers of {@code controller}. */
    public OfSubscriber(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the traffic of a subscriber. */
    @GET
    public void get(
        @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
        throws Refusal {
      UsageQuery query = query(uri);
      requireDeclared(Kind.SUBSCRIBER, id);
      answer(query, id, new Measured.OfSubscriber(id), response);
    }
  }

  /** {@code policies/{id}/usage}. */
  @Path("policies/{id}/usage")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class OfPolicy extends UsageResource {
    /** A resource of the policies of {@code controller}. */
    public OfPolicy(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the traffic of the subscribers with a policy. */
    @GET
    public void get(
        @PathParam("id") String id, @Context UriInfo uri, @Suspended AsyncResponse response)
        throws Refusal {
      UsageQuery query = query(uri);
      requireDeclared(Kind.POLICY, id);
      answer(query, id, new Measured.OfPolicy(id), response);
    }
  }

  /** {@code trees/{switch}/{port}/{tree}/usage}. */
  @Path("trees/{switch}/{port}/{tree}/usage")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class OfTree extends UsageResource {
    /** A resource of the trees of {@code controller}. */
    public OfTree(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the traffic of an OLT tree. */
    @GET
    public void get(
        @PathParam("switch") String name,
        @PathParam("port") String port,
        @PathParam("tree") String tree,
        @Context UriInfo uri,
        @Suspended AsyncResponse response)
        throws Refusal {
      UsageQuery query = query(uri);
      requireSwitch(name);
      int ofPort = UsageQuery.number("port", port, Attachment.MAX_PORT);
      int ofTree = UsageQuery.number("tree", tree, Attachment.MAX_TREE);
      answer(
          query,
          name + "/" + ofPort + "/" + ofTree,
          new Measured.OfTree(name, ofPort, ofTree),
          response);
    }
  }

  /** {@code ports/{switch}/{port}/usage}. */
  @Path("ports/{switch}/{port}/usage")
  @Produces(MediaType.APPLICATION_JSON)
  public static final class OfPort extends UsageResource {
    /** A resource of the ports of {@code controller}. */
    public OfPort(Controller controller, Supplier<Northbound> northbound) {
      super(controller, northbound);
    }

    /** Answers with the traffic of a BNG port. */
    @GET
    public void get(
        @PathParam("switch") String name,
        @PathParam("port") String port,
        @Context UriInfo uri,
        @Suspended AsyncResponse response)
        throws Refusal {
      UsageQuery query = query(uri);
      requireSwitch(name);
      int ofPort = UsageQuery.number("port", port, Attachment.MAX_PORT);
      answer(query, name + "/" + ofPort, new Measured.OfPort(name, ofPort), response);
    }
  }
}
