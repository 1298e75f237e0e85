package io.meshhost.control;

import io.meshhost.converge.Daemon;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** {@code /q/health}: live while it answers, started when it is up, ready once the first reconcile has been completed. */
@ApplicationScoped
public class Health {
    @Produces
    @Liveness
    HealthCheck live() {
        return () -> HealthCheckResponse.up("host");
    }

    @Produces
    @Startup
    HealthCheck started(Daemon daemon) {
        return () ->
                HealthCheckResponse.named("started").status(daemon.started()).build();
    }

    @Produces
    @Readiness
    HealthCheck ready(Daemon daemon) {
        return () -> HealthCheckResponse.named("first-reconcile")
                .status(daemon.ready())
                .build();
    }
}
