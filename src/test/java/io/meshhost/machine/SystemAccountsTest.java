package io.meshhost.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meshhost.machine.Accounts.Account;
import io.meshhost.machine.Commands.Result;
import io.meshhost.machine.testing.FakeCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemAccountsTest {
    @TempDir
    Path etc;

    private final FakeCommands commands = new FakeCommands();
    private SystemAccounts accounts;

    @BeforeEach
    void someAccounts() throws IOException {
        put("passwd", """
                root:x:0:0:root:/root:/bin/bash
                web:x:1001:1002:Wéb:/srv/web:/usr/sbin/nologin
                big:x:4294967294:65534::/:
                broken line
                +nis
                """);
        put("group", "root:x:0:\nweb:x:1002:\nssl:x:50:web,other\nadm:x:4:syslog,web\n");
        accounts = new SystemAccounts(commands, etc);
    }

    private void put(String name, String text) throws IOException {
        java.nio.file.Files.writeString(etc.resolve(name), text);
    }

    @Test
    void namesAndNumbersAreLookedUpBothWays() {
        assertThat(accounts.uid("web")).hasValue(1001);
        assertThat(accounts.gid("ssl")).hasValue(50);
        assertThat(accounts.userName(1001)).isEqualTo("web");
        assertThat(accounts.groupName(4)).isEqualTo("adm");
        assertThat(accounts.uid("4711")).hasValue(4711);
        assertThat(accounts.userName(-2)).isEqualTo("big");
        assertThat(accounts.uid("99999999999")).isEmpty();
        assertThat(commands.lines()).isEmpty();
    }

    @Test
    void aUsersPrimaryGroupIsWhatPasswdSays() {
        commands.on("getent passwd 4711", new Result(2, "", ""));
        assertThat(accounts.primaryGid("web")).hasValue(1002);
        assertThat(accounts.primaryGid("1001")).hasValue(1002);
        assertThat(accounts.primaryGid("4294967294")).hasValue(65534);
        assertThat(accounts.primaryGid("4711")).isEmpty();
        assertThat(accounts.primaryGid("")).isEmpty();
    }

    @Test
    void anAccountHasItsSupplementaryGroupsSorted() {
        assertThat(accounts.user("web"))
                .contains(new Account(
                        "web",
                        OptionalInt.of(1001),
                        Optional.of(Path.of("/srv/web")),
                        Optional.of(Path.of("/usr/sbin/nologin")),
                        List.of("adm", "ssl")));
    }

    @Test
    void aChangedFileIsReadAgain() throws IOException {
        commands.on("getent passwd new", new Result(2, "", ""));
        assertThat(accounts.uid("new")).isEmpty();
        put("passwd", "new:x:7:7::/:\n");
        assertThat(accounts.uid("new")).hasValue(7);
    }

    @Test
    void whatTheFilesDoNotHoldIsAskedOfGetent() {
        commands.on("getent passwd ldap", "ldap:*:5000:5000:L:/home/ldap:/bin/sh\n");
        assertThat(accounts.uid("ldap")).hasValue(5000);
        assertThat(accounts.uid("-x")).isEmpty();
        assertThat(commands.lines()).containsExactly("getent passwd ldap");
    }

    @Test
    void aNumberWithoutANameIsAskedOnceAndWrittenInDigits() {
        commands.on("getent passwd 4242", new Result(2, "", ""));
        assertThat(accounts.userName(4242)).isEqualTo("4242");
        assertThat(accounts.userName(4242)).isEqualTo("4242");
        assertThat(commands.lines()).hasSize(1);
    }

    @Test
    void aSystemAccountIsAddedWithoutAHome() {
        commands.onAny("useradd", command -> new Result(0, "", ""));
        accounts.add(account("svc", List.of("adm", "ssl")), true);
        accounts.add(account("ssl", List.of()), false);
        assertThat(commands.lines())
                .containsExactly(
                        "useradd --system --no-create-home --uid 900 --home-dir /srv/svc --shell /bin/sh"
                                + " --groups adm,ssl -- svc",
                        "useradd --create-home --gid ssl --uid 900 --home-dir /srv/svc --shell /bin/sh -- ssl");
    }

    @Test
    void onlyWhatDiffersIsModified() {
        commands.onAny("usermod", command -> new Result(0, "", ""));
        Account now = accounts.user("web").orElseThrow();
        accounts.modify(now);
        accounts.modify(new Account("web", now.uid(), Optional.empty(), Optional.of(Path.of("/bin/sh")), List.of()));
        assertThat(commands.lines()).containsExactly("usermod --shell /bin/sh --groups  -- web");
    }

    @Test
    void useraddsOwnWordsAreHandedOn() {
        commands.onAny("useradd", command -> new Result(4, "", "useradd: UID 900 is not unique\n"));
        assertThatThrownBy(() -> accounts.add(account("svc", List.of()), true))
                .isInstanceOf(MachineFailure.class)
                .hasMessage("cannot add user svc: useradd: UID 900 is not unique");
    }

    @Test
    void deletingAnAccountThatIsGoneIsDone() {
        commands.on("userdel -- gone", new Result(6, "", "userdel: user 'gone' does not exist"));
        commands.on("userdel -- busy", new Result(8, "", "userdel: user busy is currently used by process 1"));
        accounts.delete("gone");
        assertThatThrownBy(() -> accounts.delete("busy")).hasMessageContaining("currently used by process 1");
    }

    @Test
    void aCommentInAnOldEncodingDoesNotHideTheAccounts() throws IOException {
        java.nio.file.Files.write(
                etc.resolve("passwd"), "old:x:8:8:J\u00e9r\u00f4me:/:\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(accounts.uid("old")).hasValue(8);
    }

    private static Account account(String name, List<String> groups) {
        return new Account(
                name, OptionalInt.of(900), Optional.of(Path.of("/srv/svc")), Optional.of(Path.of("/bin/sh")), groups);
    }
}
