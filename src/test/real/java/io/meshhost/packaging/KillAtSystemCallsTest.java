package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.Options;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.converge.Host;
import io.meshhost.converge.SystemHost;
import io.meshhost.machine.Settings;
import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * SIGKILL at system calls, on a machine that is thrown away afterwards: for each kind, the packaged program is ended at
 * each call that changes the disk; each time the next apply (in this JVM, with the same code) must bring the machine to exactly what is declared, and leave
 * nothing beside it.
 *
 * <p>strace counts each call by its own name and in each thread, so an undisturbed run is counted first, and every name is
 * then cut at its first, fourth, seventh… call; with {@code -Dfull} at every one.
 */
@Tag("systemd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillAtSystemCallsTest {
    private static final String CALLS =
            "rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,"
                    + "chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,pwrite64,ftruncate";
    private static final int STEP = Boolean.getBoolean("full") ? 1 : 3;

    /** The JVM flags of the start script: an AOT cache is valid only for the flags that it was made with. */
    private static final Pattern FLAGS = Pattern.compile("\\nflags=\"([^\"]*)\"");

    private Path temp = Path.of("unset");
    private List<String> java = List.of();

    /** What is declared before, what after, and how the machine must then look. */
    enum Scenario {
        FILE(
                "{'id':'a','type':'file','path':'/srv/kill/f','content':'one','mode':'0600'}",
                "{'id':'a','type':'file','path':'/srv/kill/f','content':'two','mode':'0640'},"
                        + "{'id':'b','type':'file','path':'/srv/kill/deep/er/g','content':'new'}",
                "test \"$(cat /srv/kill/f)\" = two && test \"$(stat -c %a /srv/kill/f)\" = 640"
                        + " && test \"$(cat /srv/kill/deep/er/g)\" = new"),
        FILE_GONE(
                "{'id':'a','type':'file','path':'/srv/kill/deep/f','content':'one'}", "", "test ! -e /srv/kill/deep"),
        DIRECTORY(
                "{'id':'a','type':'directory','path':'/srv/kill/d','mode':'0700'}",
                "{'id':'a','type':'directory','path':'/srv/kill/d','mode':'0750'},"
                        + "{'id':'b','type':'directory','path':'/srv/kill/e/f'}",
                "test \"$(stat -c %a /srv/kill/d)\" = 750 && test -d /srv/kill/e/f"),
        ARCHIVE(
                "{'id':'a','type':'archive','path':'/srv/kill/ar','source':'@1.tar','digest':'@1'}",
                "{'id':'a','type':'archive','path':'/srv/kill/ar','source':'@2.tar','digest':'@2'}",
                "test \"$(cat /srv/kill/ar/data)\" = 2 && test ! -e /srv/kill/ar/only-1"),
        USER(
                "",
                "{'id':'a','type':'user','name':'mhtkill','system':true,'shell':'/bin/sh'}",
                "getent passwd mhtkill | grep -q ':/bin/sh$'"),
        SERVICE(
                "{'id':'a','type':'service','unit':'mht-there.service','state':'stopped','enabled':false}",
                "{'id':'a','type':'service','unit':'mht-there.service','state':'running','enabled':true}",
                "systemctl is-active -q mht-there && systemctl is-enabled -q mht-there"),
        PROCESS(
                "{'id':'a','type':'process','name':'mht-kill','source':'@1.tar','digest':'@1','run':['./run','1'],@H}",
                "{'id':'a','type':'process','name':'mht-kill','source':'@2.tar','digest':'@2','run':['./run','2'],@H}",
                "systemctl is-active -q mht-kill && systemctl is-enabled -q mht-kill"
                        + " && test \"$(cat /var/lib/mesh/daemons/mht-kill/data)\" = 2"
                        + " && tr '\\0' ' ' </proc/$(systemctl show -P MainPID mht-kill)/cmdline | grep -q 'run 2'"),
        PROCESS_GONE(
                "{'id':'a','type':'process','name':'mht-kill','source':'@1.tar','digest':'@1','run':['./run','1'],@H}",
                "",
                "test ! -e /var/lib/mesh/daemons/mht-kill && test -z \"$(find /etc/systemd/system -name 'mht-kill*')\""
                        + " && ! systemctl is-active -q mht-kill");

        private final String before;
        private final String after;
        private final String check;

        Scenario(String before, String after, String check) {
            this.before = before;
            this.after = after;
            this.check = check;
        }
    }

    @BeforeAll
    void aMachineWithAServiceAndTwoBundles(@TempDir Path folder) throws Exception {
        Needs.systemd();
        Needs.command("strace");
        Path app = Path.of("target/quarkus-app/quarkus-run.jar");
        Needs.that(Files.exists(app), app + " (the package phase)");
        temp = folder;
        java = trained(app.toAbsolutePath().toString());
        Files.writeString(
                Path.of("/etc/systemd/system/mht-there.service"),
                "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n");
        shell("systemctl daemon-reload");
        for (String version : List.of("1", "2")) {
            Path tree = Files.createDirectories(temp.resolve(version));
            Files.writeString(tree.resolve("data"), version);
            Files.writeString(tree.resolve("only-" + version), version);
            Files.writeString(tree.resolve("run"), "#!/bin/sh\nwhile :; do sleep 3600 & wait; done\n");
            shell("cd " + tree + " && chmod 755 run && tar -cf ../" + version + ".tar data only-" + version + " run");
        }
    }

    /**
     * The program is started at each cut, so it is started as its script does it: with an AOT cache, here one of our own. A
     * cache that does not fit fails the start.
     */
    private List<String> trained(String app) throws Exception {
        Matcher flags = FLAGS.matcher(Files.readString(Path.of("target/bin/nox-mesh-host")));
        assertThat(flags.find()).as("flags of the start script").isTrue();
        List<String> start = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        start.addAll(List.of(flags.group(1).strip().split("\\s+")));
        Path cache = temp.resolve("kill.aot");
        List<String> training = new ArrayList<>(start);
        training.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:disable", "-jar", app, "training"));
        Shell.must(training.toArray(String[]::new));
        start.addAll(List.of("-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-jar", app));
        return List.copyOf(start);
    }

    /** Else the cuts would be counted from there, and some would hit nothing of an apply. */
    @Test
    void theStartItselfMakesNoCallThatIsCut() throws Exception {
        assertThat(counted("validate", declaration("start", Scenario.FILE.after)))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void theNextApplyFinishesOrUndoes(Scenario scenario) throws Exception {
        Path before = declaration(scenario + "-before", scenario.before);
        Path after = declaration(scenario + "-after", scenario.after);
        applied(before);
        Map<String, Integer> calls = counted("apply", after);
        int killed = 0;
        for (Map.Entry<String, Integer> name : calls.entrySet()) {
            for (int call = 1; call <= name.getValue(); call += STEP) {
                applied(before);
                boolean whole = Shell.run(cutAt(name.getKey(), call, after)).status() == 0;
                killed += whole ? 0 : 1;
                applied(after);
                shell(scenario.check);
                assertThat(leftovers())
                        .as("after the kill at %s %d", name.getKey(), call)
                        .isEmpty();
            }
        }
        System.out.println(scenario + ": ended at " + killed + " of the calls " + calls + ", mended each time");
        assertThat(killed).isGreaterThan(calls.size() / 2);
        applied(declaration("empty", ""));
    }

    /** How often each call is made at most by one thread when nothing disturbs it. */
    private Map<String, Integer> counted(String command, Path file) throws Exception {
        Path trace = temp.resolve("trace");
        List<String> words = new ArrayList<>(List.of(
                "strace", "-f", "-qq", "-o", trace.toString(), "-b", "execve", "-e", "trace=" + CALLS));
        words.addAll(call(command, file));
        Shell.must(words.toArray(String[]::new));
        Map<String, Integer> byThread = new TreeMap<>();
        Pattern line = Pattern.compile("^(\\d+) +(\\w+)\\(.*");
        for (String text : Files.readAllLines(trace)) {
            Matcher matcher = line.matcher(text);
            if (matcher.matches()) {
                byThread.merge(matcher.group(1) + " " + matcher.group(2), 1, Integer::sum);
            }
        }
        Map<String, Integer> calls = new TreeMap<>();
        byThread.forEach((key, count) -> calls.merge(key.substring(key.indexOf(' ') + 1), count, Math::max));
        return calls;
    }

    private List<String> cutAt(String name, int call, Path file) {
        List<String> words = new ArrayList<>(List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-b",
                "execve",
                "-e",
                "trace=" + name,
                "-e",
                "inject=" + name + ":signal=KILL:when=" + call));
        words.addAll(call("apply", file));
        return words;
    }

    /** By the same code in this JVM: a start for each of these two thirds of all applies would take most of the time. */
    private static void applied(Path file) {
        Host.Choices choices = new Host.Choices(Optional.empty(), Optional.empty(), true, Map.of());
        try (Host host = new SystemHost(Settings.real(Map.of(), true), choices)) {
            Report report = host.apply(
                    host.read(file).declaration().orElseThrow(), Options.none(), Run.quiet("apply"));
            assertThat(report.ok()).as("%s", report).isTrue();
        }
    }

    private List<String> call(String command, Path file) {
        List<String> words = new ArrayList<>(java);
        words.addAll(List.of(command, "--trust-file", file.toString()));
        return words;
    }

    private Path declaration(String name, String resources) throws Exception {
        String text = "{'serial':1,'modules':[{'module':'kill','version':'1','slug':'kill','resources':[" + resources
                + "]}]}";
        text = text.replace("@H", "'health':{'command':['/bin/true'],'interval':'50ms','timeout':'20s'}");
        for (String version : List.of("1", "2")) {
            Path tar = temp.resolve(version + ".tar");
            text = text.replace("'@" + version + ".tar'", "'" + tar + "'")
                    .replace("'@" + version + "'", "'sha256:" + sha256(tar) + "'");
        }
        return Files.writeString(temp.resolve(name + ".json"), text.replace('\'', '"'));
    }

    private static List<Path> leftovers() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path place : List.of(Path.of("/srv"), Path.of("/var/lib/mesh"), Path.of("/etc/systemd/system"))) {
            if (Files.isDirectory(place)) {
                try (Stream<Path> all = Files.walk(place)) {
                    all.filter(path -> path.getFileName().toString().contains(".mesh-"))
                            .forEach(found::add);
                }
            }
        }
        return found;
    }

    private static void shell(String script) throws Exception {
        Shell.must("sh", "-c", script);
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
