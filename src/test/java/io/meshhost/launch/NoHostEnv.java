package io.meshhost.launch;

import io.meshhost.machine.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The settings of a machine that has no host.env. */
public final class NoHostEnv implements Settings.Disk {
    public static Settings settings(Map<String, String> environment) {
        return new Settings(environment, Map.of(), false, new NoHostEnv());
    }

    @Override
    public Optional<String> text(Path file) {
        return Optional.empty();
    }

    @Override
    public boolean exists(Path file) {
        return false;
    }

    @Override
    public Optional<String> distrust(Path file) {
        return Optional.empty();
    }
}
