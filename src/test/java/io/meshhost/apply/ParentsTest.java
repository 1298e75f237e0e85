package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.apply.testing.Rig;
import io.meshhost.declaration.Declaration;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directories above what is declared: made, kept, in the way. */
class ParentsTest {
    @TempDir
    Path base;

    private Rig rig;

    @BeforeEach
    void machine() {
        rig = new Rig(base).impatient();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aDeclaredDirectoryStaysWhenTheFileGoesForWhichItWasMade() {
        rig.apply(Declared.machine(Declared.file("m/file", "/p/d/x", "text")));
        Declaration both =
                Declared.machine(Declared.file("m/file", "/p/d/x", "text"), Declared.directory("m/dir", "/p/d"));
        rig.apply(both);
        Declaration directory = Declared.machine(Declared.directory("m/dir", "/p/d"));
        assertThat(Rig.lines(rig.apply(directory))).containsExactly("m/dir unchanged", "m/file removed");
        assertThat(rig.tree()).contains("/p/d/").doesNotContain("/p/d/x = text");
        assertThat(Rig.lines(rig.apply(directory))).containsExactly("m/dir unchanged");
    }

    @Test
    void whatAnotherModuleDeclaredStaysWhenOneManifestTakesAwayTheFileForWhichItWasMade() {
        rig.apply(
                Declared.manifest("a", Declared.file("a/p", "/p/d/x", "text"), Declared.file("a/q", "/q/e/x", "text")));
        rig.apply(Declared.manifest("b", Declared.directory("b/p", "/p/d"), Declared.file("b/q", "/q/e/f/y", "text")));
        rig.delete("/q/e/f/y");
        rig.delete("/q/e/f");
        Declaration nothing = Declared.manifest("a");
        assertThat(Rig.lines(rig.plan(nothing))).containsExactly("a/q removed", "a/p removed");
        assertThat(Rig.lines(rig.apply(nothing))).containsExactly("a/q removed", "a/p removed");
        assertThat(rig.tree()).containsExactly("/p/", "/p/d/", "/q/", "/q/e/");
    }

    @Test
    void aDirectoryInWhichAnotherModuleHasSomethingIsLeftThoughThatIsGoneForTheMoment() {
        rig.apply(Declared.manifest("a", Declared.directory("a/d", "/p/d")));
        rig.apply(Declared.manifest("b", Declared.directory("b/e", "/p/d/e")));
        rig.delete("/p/d/e");
        assertThat(Rig.lines(rig.apply(Declared.manifest("a")))).containsExactly("a/d forgotten");
        assertThat(rig.tree()).containsExactly("/p/", "/p/d/");
    }

    @Test
    void aFileWhereADirectoryAboveMustBeIsKnownToThePlan() {
        rig.write("/p/d", "found");
        Declaration declaration = Declared.machine(
                Declared.file("m/file", "/p/d/x", "text"),
                Declared.directory("m/dir", "/p/d/deep/er"),
                Declared.archive("m/archive", "/p/d/a", rig.bundles().publish("a=1\n")));
        Plan plan = rig.plan(declaration);
        assertThat(Rig.lines(plan)).containsExactly("m/file failed", "m/dir failed", "m/archive failed");
        assertThat(plan.changes())
                .allSatisfy(change -> assertThat(change.detail()).endsWith(rig.path("/p/d") + " is not a directory"));
        assertThat(Rig.lines(rig.apply(declaration))).isEqualTo(Rig.lines(plan));
        assertThat(rig.text("/p/d")).isEqualTo("found");
        rig.delete("/p/d");
        assertThat(rig.apply(declaration).ok()).isTrue();
    }

    @Test
    void aFileOfOursThatBecomesADirectoryIsNoObstacleToWhatIsDeclaredInIt() {
        rig.apply(Declared.machine(Declared.file("m/file", "/p/d", "text")));
        Declaration nested =
                Declared.machine(Declared.directory("m/dir", "/p/d"), Declared.file("m/in", "/p/d/x", "text"));
        assertThat(Rig.lines(rig.plan(nested))).containsExactly("m/file removed", "m/dir created", "m/in created");
        assertThat(Rig.lines(rig.apply(nested))).containsExactly("m/file removed", "m/dir created", "m/in created");
        assertThat(rig.text("/p/d/x")).isEqualTo("text");
    }

    @Test
    void aFileThatComesBackWhereADirectoryIsNowDeclaredFailsThatDirectoryAtOnce() {
        rig.write("/p/d", "before");
        rig.apply(Declared.machine(Declared.file("m/file", "/p/d", "ours")));
        Declaration directory = Declared.machine(Declared.directory("m/dir", "/p/d"));
        assertThat(Rig.lines(rig.plan(directory))).containsExactly("m/file restored", "m/dir failed");
        Report report = rig.apply(directory);
        assertThat(Rig.lines(report)).containsExactly("m/file restored", "m/dir failed");
        assertThat(report.ok()).isFalse();
        assertThat(rig.text("/p/d")).isEqualTo("before");
        assertThat(Rig.lines(rig.apply(directory))).containsExactly("m/dir failed");
    }
}
