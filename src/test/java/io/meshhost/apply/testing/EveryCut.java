package io.meshhost.apply.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.Report;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Probe;
import io.meshhost.machine.testing.PowerCut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Cuts the power of an apply at operation 1, 2, 3 … of the disk, then around transaction 1, 2, 3 …, each time
 * on a fresh machine; a new host then applies, and must end well, as its plan said, with nothing left over.
 */
public final class EveryCut {
    private final Path base;
    private final UnaryOperator<Rig> arranged;
    private int machines;

    public EveryCut(Path base) {
        this(base, rig -> rig);
    }

    /**
     * @param arranged what is special about each of the machines
     */
    public EveryCut(Path base, UnaryOperator<Rig> arranged) {
        this.base = base;
        this.arranged = arranged;
    }

    /** Also before each call of the supervisor and of useradd(8) and its like. */
    public void ofCallsToo(Consumer<Rig> before, Declaration declaration, Consumer<Rig> after) {
        of(before, declaration, after);
        int calls = cuts(before, declaration, declaration, after, Rig::cutCalls);
        assertThat(calls).isGreaterThan(2);
    }

    /** The apply after the cut is of the same declaration. */
    public void of(Consumer<Rig> before, Declaration declaration, Consumer<Rig> after) {
        then(before, declaration, declaration, after);
    }

    /** The apply after the cut is of another declaration. */
    public void then(Consumer<Rig> before, Declaration declaration, Declaration next, Consumer<Rig> after) {
        int disk = cuts(before, declaration, next, after, (rig, cut) -> rig.restart(cut, Probe.NONE));
        int transactions = cuts(before, declaration, next, after, (rig, cut) -> rig.restart(Probe.NONE, cut));
        assertThat(disk).isGreaterThan(2);
        assertThat(transactions).isGreaterThan(2);
    }

    private int cuts(
            Consumer<Rig> before,
            Declaration declaration,
            Declaration next,
            Consumer<Rig> after,
            BiConsumer<Rig, Probe> arrange) {
        for (int n = 1; ; n++) {
            try (Rig rig = arranged.apply(new Rig(base.resolve("m" + ++machines)).impatient())) {
                before.accept(rig);
                arrange.accept(rig, PowerCut.before(n));
                boolean through = applied(rig, declaration);
                rig.restart(Probe.NONE, Probe.NONE);
                rig.cutCalls(Probe.NONE);
                List<String> planned = Rig.lines(rig.plan(next));
                Report report = rig.apply(next);
                assertThat(Rig.lines(report)).as("after cut %d", n).isEqualTo(planned);
                assertThat(report.ok())
                        .as("after cut %d: %s", n, report.outcomes())
                        .isTrue();
                assertThat(rig.plan(next).pending()).as("after cut %d", n).isZero();
                assertThat(temporaries(rig)).as("after cut %d", n).isEmpty();
                after.accept(rig);
                if (through) {
                    return n;
                }
            }
        }
    }

    private static boolean applied(Rig rig, Declaration declaration) {
        try {
            rig.apply(declaration);
            return true;
        } catch (PowerCut.Cut cut) {
            return false;
        }
    }

    private static List<String> temporaries(Rig rig) {
        List<String> left = new ArrayList<>(rig.tree());
        left.removeIf(line -> !line.contains("/."));
        return left;
    }
}
