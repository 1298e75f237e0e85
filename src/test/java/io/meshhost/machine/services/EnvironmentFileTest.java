package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.MachineFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EnvironmentFileTest {
    private static final Path FILE = Path.of("/etc/web.env");

    private static SortedMap<String, String> parse(String text) {
        return EnvironmentFile.parse(text.getBytes(StandardCharsets.UTF_8), FILE);
    }

    @Test
    void blanksAroundNameAndValueDoNotCount() {
        assertThat(parse("  A = one two \t\nB=3")).containsExactly(Map.entry("A", "one two"), Map.entry("B", "3"));
    }

    @Test
    void commentsBlankLinesAndLinesWithoutEqualsSignAreLeftOut() {
        assertThat(parse("# A=1\n; B=2\n\nnothing here\nC=3 # no comment\n"))
                .containsExactly(Map.entry("C", "3 # no comment"));
    }

    @Test
    void quotesKeepBlanksAndNewlinesAndMayFollowEachOther() {
        assertThat(parse("A=' one\n two '\nB=\"x\"' y'z\n"))
                .containsExactly(Map.entry("A", " one\n two "), Map.entry("B", "x yz"));
    }

    @Test
    void aBackslashKeepsTheNextCharacterAndJoinsLines() {
        assertThat(parse("A=one\\ttwo\nB=one\\\n two\nC=a\\ \n"))
                .containsExactly(Map.entry("A", "onettwo"), Map.entry("B", "one two"), Map.entry("C", "a "));
    }

    @Test
    void inDoubleQuotesABackslashEscapesOnlyWhatAShellWould() {
        assertThat(parse("A=\"\\\" \\\\ \\$ \\` \\n \\\nend\"\n")).containsEntry("A", "\" \\ $ ` \\n end");
    }

    @Test
    void inSingleQuotesABackslashIsItself() {
        assertThat(parse("A='a\\b$c'\n")).containsEntry("A", "a\\b$c");
    }

    @Test
    void nothingIsExpanded() {
        assertThat(parse("A=$HOME ${B} %h `x`\n")).containsEntry("A", "$HOME ${B} %h `x`");
    }

    @Test
    void aNameThatIsNoneIsLeftOutAndTheLastOfTwoWins() {
        assertThat(parse("1A=x\nexport B=y\nC=1\nC=2\n")).containsExactly(Map.entry("C", "2"));
    }

    @Test
    void windowsLineEndsAreLineEnds() {
        assertThat(parse("A=1\r\nB=2\r\n")).containsExactly(Map.entry("A", "1"), Map.entry("B", "2"));
    }

    @Test
    void bytesThatAreNotUtf8AreRefusedByName() {
        assertThatThrownBy(() -> EnvironmentFile.parse(new byte[] {'A', '=', (byte) 0xE9}, FILE))
                .isInstanceOf(MachineFailure.class)
                .hasMessage("cannot read /etc/web.env: it is not UTF-8 text; write it anew as UTF-8");
    }

    @Property
    void anyValueThatIsWrittenIsReadBack(@ForAll("variables") Map<String, String> variables) {
        assertThat(parse(EnvironmentFile.render(variables))).isEqualTo(variables);
    }

    @Provide
    Arbitrary<Map<String, String>> variables() {
        Arbitrary<String> names =
                Arbitraries.strings().withChars("ABC_").ofMinLength(1).ofMaxLength(4);
        Arbitrary<String> values =
                Arbitraries.strings().withChars("\"\\`$' \t\n\r#;=%é€a").ofMaxLength(12);
        return Arbitraries.maps(names, values).ofMaxSize(5);
    }

    @Test
    void oddEndsAreReadToTheEnd() { // UE-10
        assertThat(parse("A=1\\ \nB=2")).containsEntry("B", "2");
        assertThat(parse("A=1\n# =3;\\\nB=2\n")).containsEntry("A", "1");
        assertThat(parse("\\")).isEmpty();
        assertThat(parse("A=\"no end")).containsOnlyKeys("A");
        assertThat(parse("A")).isEmpty();
        assertThat(parse("")).isEmpty();
    }
}
