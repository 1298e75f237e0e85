package io.meshhost.machine.services;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The directives that fence a process in (systemd.exec(5)); listed for people in docs/declaration.md. */
final class SandboxText {
    private static final List<String> BOTH = List.of(
            "NoNewPrivileges=yes",
            "PrivateTmp=yes",
            "ProtectKernelTunables=yes",
            "ProtectKernelModules=yes",
            "ProtectControlGroups=yes",
            "RestrictSUIDSGID=yes",
            "LockPersonality=yes");
    private static final List<String> STRICT = List.of(
            "PrivateDevices=yes",
            "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
            "RestrictNamespaces=yes",
            "SystemCallFilter=@system-service",
            "CapabilityBoundingSet=",
            "UMask=0077");

    private SandboxText() {}

    /** What most daemons do not notice. */
    static List<String> standard() {
        return Stream.concat(BOTH.stream(), Stream.of("ProtectSystem=full")).toList();
    }

    /** Nothing on the machine may be written but its own directory; no capability, no device, no namespace. */
    static List<String> strict(Path directory) {
        Stream<String> files = Stream.of(
                "ProtectSystem=strict",
                "ProtectHome=" + (inHome(directory) ? "read-only" : "yes"),
                "ReadWritePaths=" + UnitSyntax.quoted(directory.toString()));
        return Stream.of(BOTH.stream(), files, STRICT.stream())
                .flatMap(lines -> lines)
                .toList();
    }

    /** A process that itself lives under a home could not even be started with the homes hidden. */
    private static boolean inHome(Path directory) {
        return Stream.of("/home", "/root", "/run/user").anyMatch(home -> directory.startsWith(home));
    }
}
