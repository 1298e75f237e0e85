package io.meshhost.machine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Prepares the place where a socket of ours is bound: whoever may connect to it may change the machine. */
public final class SocketPlace {
    /** sockaddr_un, unix(7), without the final NUL. */
    public static final int LONGEST = 107;

    private SocketPlace() {}

    /**
     * Makes the directory 0700 where it is ours, and removes a socket that an earlier host left and on which nobody answers.
     *
     * @param own uid of this program
     * @throws MachineFailure when the path is too long, others may enter the directory, or a host answers
     */
    public static void prepare(Path socket, Files files, int own) {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST) {
            throw new MachineFailure("cannot listen on " + socket + ": a socket's path may have " + LONGEST
                    + " bytes and this one has " + length + "; set MESH_HOST_CONTROL to a shorter one");
        }
        Path directory =
                Optional.ofNullable(socket.toAbsolutePath().getParent()).orElse(Path.of("/"));
        for (Path missing : files.missingParents(socket)) {
            files.makeDirectory(missing, Files.Attributes.mode(missing.equals(directory) ? 0700 : 0755));
        }
        close(directory, files, own);
        if (OwnSocket.answers(socket)) {
            throw new MachineFailure("cannot run: another host answers on " + socket + "; stop it first");
        }
        Optional<Stat> left = files.stat(socket);
        if (left.isPresent() && left.get().type() != Stat.Type.OTHER) {
            throw new MachineFailure(
                    "cannot listen on " + socket + ": something else has that name; move it, or set MESH_HOST_CONTROL");
        }
        if (left.isPresent()) {
            files.delete(socket);
        }
        files.sync();
    }

    private static void close(Path directory, Files files, int own) {
        Stat stat = files.stat(directory)
                .orElseThrow(() -> new MachineFailure("cannot listen in " + directory + ": it is not there"));
        if ((stat.mode() & 077) == 0 && stat.uid() == own) {
            return;
        }
        boolean oursAlone =
                stat.isDirectory() && stat.uid() == own && directory.endsWith("mesh-host") && (stat.mode() & 022) == 0;
        if (!oursAlone) {
            throw new MachineFailure("cannot listen in " + directory
                    + ": others may enter it; give it mode 0700 and this user as owner, or set MESH_HOST_CONTROL");
        }
        files.change(directory, Files.Attributes.mode(0700));
    }
}
