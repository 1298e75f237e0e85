package io.meshhost.launch.differential;

import java.nio.file.Path;
import java.util.List;

/**
 * The program of a fake host: it notes that it ran, and at its nth start does the nth of its deeds; the last one again and
 * again.
 */
record FakeHost(String name, Path stage) {
    String program(List<String> deeds) {
        StringBuilder text = new StringBuilder("#!/bin/sh\n")
                .append("cd '" + stage + "/log' || exit 99\n")
                .append("n=0\n[ ! -e 'n.NAME' ] || read -r n < 'n.NAME'\n")
                .append("n=$((n + 1))\necho $n > 'n.NAME'\necho $$ >> pids\n")
                .append("printf '%s\\n' 'NAME' >> ran\ncase $n in\n");
        for (int i = 0; i < deeds.size(); i++) {
            text.append(i == deeds.size() - 1 ? "*" : Integer.toString(i + 1)).append(")\n");
            List.of(deeds.get(i).split(",", -1))
                    .forEach(deed -> text.append(code(deed)).append('\n'));
            text.append(";;\n");
        }
        return text.append("esac\n").toString().replace("NAME", name);
    }

    private String code(String deed) {
        String[] words = deed.split(" ", 2);
        String state = stage + "/state/";
        return switch (words[0]) {
            case "kill", "segv", "term" -> "kill -" + signal(words[0]) + " $$; exec sleep 30";
            // As a host does that has completed a reconcile.
            case "good" -> "rm -f '" + state + "start-attempts' '" + state + "rollback-attempted'";
            case "stop" -> ": > stop; exec sleep 30";
            // Once it has ended: in the middle of the back-off.
            case "told" -> "{ sleep 0.3; : > stop; } &";
            case "slow" ->
                "trap 'sleep 0.4; echo NAME.stopped >> ran; exit 0' TERM; : > stop; while :; do sleep 0.02; done";
            case "put" ->
                "mv '" + stage + "/staged/" + words[1] + "' '" + stage + "/libexec/versions/" + words[1] + "'";
            case "write" -> write(state, words[1]);
            case "remove" -> "rm -rf '" + state + words[1] + "'";
            default -> "exit " + Integer.parseInt(words[0]);
        };
    }

    /** {@code FILE=TEXT}. */
    private static String write(String state, String what) {
        String[] words = what.split("=", 2);
        return "echo '" + words[1] + "' > '" + state + words[0] + "'";
    }

    private static String signal(String deed) {
        return switch (deed) {
            case "kill" -> "KILL";
            case "segv" -> "SEGV";
            default -> "TERM";
        };
    }
}
