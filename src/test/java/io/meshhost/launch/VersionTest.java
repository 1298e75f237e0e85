package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of versions and their names. */
class VersionTest {
    @Provide
    static Arbitrary<Version> versions() {
        Arbitrary<String> names =
                Arbitraries.of("1.9", "1.10", "2.0.0", "2.0.0-rc1", "v2", "deadbeef", "a b", "\u00e9");
        Arbitrary<OptionalLong> arrivals =
                Arbitraries.longs().between(0, 4).map(n -> n == 0 ? OptionalLong.empty() : OptionalLong.of(n));
        return Combinators.combine(names, arrivals, Arbitraries.longs().between(-2, 2), Arbitraries.of(true, false))
                .as(Version::new);
    }

    @Property
    void theNameDecidesOnlyBetweenThoseThatNothingElseTellsApart(
            @ForAll("versions") Version one, @ForAll("versions") Version other) {
        int order = Version.NEWEST_FIRST.compare(one, other);
        if (one.tiesWith(other)) {
            assertThat(Integer.signum(order))
                    .isEqualTo(Integer.signum(one.name().compareTo(other.name())));
        } else {
            Version renamed = new Version("zz", one.arrival(), one.modifiedNanos(), one.rejected());
            assertThat(Version.NEWEST_FIRST.compare(renamed, other))
                    .isEqualTo(order)
                    .isNotZero();
        }
    }

    @Property
    void oneThatArrivedIsAlwaysNewerThanOneThatDidNot(
            @ForAll("versions") Version one, @ForAll("versions") Version other) {
        if (one.arrival().isPresent() && other.arrival().isEmpty()) {
            assertThat(Version.NEWEST_FIRST.compare(one, other)).isNegative();
        }
    }

    @Property
    void theOrderDoesNotDependOnHowTheyAreListed(
            @ForAll @Size(max = 8) List<@net.jqwik.api.From("versions") Version> all, @ForAll Random random) {
        List<Version> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        List<Version> sorted = all.stream().sorted(Version.NEWEST_FIRST).toList();
        assertThat(shuffled.stream().sorted(Version.NEWEST_FIRST).map(Version::name))
                .containsExactlyElementsOf(sorted.stream().map(Version::name).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "a b", " a", "v2", "\u00e9t\u00e9", "1.0.tmp", "-", "\u65e5\u672c"})
    void mayBeAVersion(String name) {
        assertThat(Version.possible(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", ".1.0.tmp-abc", "../x", "a/b", "a\nb", "a\tb", "\u0000", "\u009b", "a\uFFFDb"})
    void isNoVersion(String name) {
        assertThat(Version.possible(name)).isFalse();
    }
}
