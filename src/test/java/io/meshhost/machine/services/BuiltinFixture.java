package io.meshhost.machine.services;

import io.meshhost.machine.Accounts;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A built-in supervisor over a directory of a test. */
final class BuiltinFixture {
    static final BuiltinSettings QUICK = new BuiltinSettings(
            Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(1), 1024 * 1024, ZoneId.of("UTC"));

    private BuiltinFixture() {}

    static BuiltinMeans means(Path state, Ticker ticker, BuiltinSettings settings) {
        return means(state, ticker, InstantSource.system(), settings, _ -> {});
    }

    static BuiltinMeans means(
            Path state, Ticker ticker, InstantSource clock, BuiltinSettings settings, Consumer<String> notes) {
        Places places = new Places(
                Path.of("/"),
                state,
                state.resolve("daemons"),
                state.resolve("units"),
                state.resolve("lib"),
                state.resolve("control.sock"),
                Optional.empty());
        return new BuiltinMeans(
                places,
                new Files(Path.of("/"), Probe.NONE),
                new SystemCommands(),
                new WhoIAm(),
                ticker,
                clock,
                settings,
                notes);
    }

    /** Only who runs the test is asked of it. */
    private static final class WhoIAm implements Accounts {
        @Override
        public int ownUid() {
            return id("uid");
        }

        @Override
        public int ownGid() {
            return id("gid");
        }

        private static int id(String which) {
            try {
                return (int) java.nio.file.Files.getAttribute(Path.of("/proc/self"), "unix:" + which);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        @Override
        public OptionalInt uid(String nameOrNumber) {
            throw new UnsupportedOperationException(nameOrNumber);
        }

        @Override
        public OptionalInt gid(String nameOrNumber) {
            throw new UnsupportedOperationException(nameOrNumber);
        }

        @Override
        public OptionalInt primaryGid(String nameOrNumber) {
            throw new UnsupportedOperationException(nameOrNumber);
        }

        @Override
        public String userName(int uid) {
            throw new UnsupportedOperationException("" + uid);
        }

        @Override
        public String groupName(int gid) {
            throw new UnsupportedOperationException("" + gid);
        }

        @Override
        public Optional<Account> user(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public void add(Account account, boolean system) {
            throw new UnsupportedOperationException(List.of(account, system).toString());
        }

        @Override
        public void modify(Account account) {
            throw new UnsupportedOperationException(account.name());
        }

        @Override
        public void delete(String name) {
            throw new UnsupportedOperationException(name);
        }
    }
}
