package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether the Java that runs this program was replaced under it. Its helper program then refuses to start anything for the
 * old one, so a program that must start others has to make room for a fresh one. A native executable has none to lose.
 */
public final class JavaHome {
    private final Optional<Path> helper;
    private final Optional<Stat> before;

    JavaHome(Optional<Path> helper) {
        this.helper = helper;
        this.before = look();
    }

    /** As it is now; ask for it early. */
    public static JavaHome now() {
        return new JavaHome(Optional.ofNullable(System.getProperty("java.home"))
                .filter(home -> !home.isEmpty())
                .map(home -> Path.of(home, "lib", "jspawnhelper")));
    }

    public boolean replaced() {
        return before.isPresent() && !look().equals(before);
    }

    private Optional<Stat> look() {
        try {
            return helper.isPresent() ? Stats.lstat(helper.get()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
