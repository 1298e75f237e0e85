package io.meshhost.control;

import io.meshhost.apply.Options;
import io.meshhost.converge.Daemon;
import io.meshhost.converge.Ended;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /v1}: the host's state, and the two things that it can be told to do. */
@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ControlResource {
    private final Daemon daemon;

    ControlResource(Daemon daemon) {
        this.daemon = daemon;
    }

    @GET
    @Path("status")
    public Response status() {
        return daemon.status()
                .map(status -> Response.ok(Wire.json(status)).build())
                .orElseGet(ControlResource::notYet);
    }

    @GET
    @Path("resources")
    public Response resources() {
        return Response.ok(Wire.json(daemon.resources())).build();
    }

    @GET
    @Path("history")
    public Response history(@QueryParam("id") @Nullable String id, @QueryParam("limit") @DefaultValue("50") int limit) {
        return Response.ok(Wire.history(daemon.history(Optional.ofNullable(id), Math.clamp(limit, 1, 1000))))
                .build();
    }

    /** Applies the host's declaration now, and answers with the report when it is done. */
    @POST
    @Path("apply")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response apply(@Nullable String body) {
        Options options = Wire.options(Optional.ofNullable(body).orElse(""));
        return switch (daemon.apply(options)) {
            case Ended.Applied applied ->
                Response.ok(Wire.json(applied.report())).build();
            case Ended.Refused refused ->
                Response.status(422).entity(Wire.refused(refused)).build();
            case Ended.Failed failed ->
                Response.status(503).entity(Wire.failed(failed)).build();
        };
    }

    /** Looks for drift now; does not wait. */
    @POST
    @Path("reconcile")
    public Response reconcile() {
        daemon.reconcile("asked for");
        return Response.accepted("{}").build();
    }

    private static Response notYet() {
        return Response.status(503)
                .entity(Wire.failed(new Ended.Failed("the host is starting; ask again in a moment")))
                .build();
    }
}
