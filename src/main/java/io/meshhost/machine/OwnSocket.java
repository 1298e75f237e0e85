package io.meshhost.machine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;

/** A unix socket that one of our programs has bound, or may bind. */
public final class OwnSocket {
    private OwnSocket() {}

    /** Somebody listens there, and does not answer. */
    public static final class Hangs extends IOException {
        private static final long serialVersionUID = 1L;

        Hangs(String how) {
            super(how);
        }
    }

    /** Whether somebody listens there. */
    public static boolean answers(Path socket) {
        try (SocketChannel channel = connect(socket)) {
            return channel.isConnected();
        } catch (Hangs busy) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Connects at once or not at all: a connect that blocks waits for ever while the queue of a peer that accepts nothing is
     * full.
     */
    public static SocketChannel connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                throw new Hangs("its queue is full");
            }
            channel.configureBlocking(true);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw full(e, socket) ? new Hangs("its queue is full") : e;
        }
    }

    /** EAGAIN, connect(2), has no exception of its own; ENOENT neither. */
    private static boolean full(IOException e, Path socket) {
        return e instanceof SocketException
                && !(e instanceof ConnectException || e instanceof BindException)
                && Files.exists(socket);
    }

    /**
     * Sends that, and gives all that comes back until the peer hangs up, or the limit is reached.
     *
     * @param patience with a peer that says nothing; zero: for ever
     * @throws Hangs when it takes no connection, or the patience is over
     */
    public static byte[] ask(Path socket, byte[] question, int limit, Duration patience) throws IOException {
        try (SocketChannel channel = connect(socket);
                Selector selector = Selector.open()) {
            ByteBuffer out = ByteBuffer.wrap(question);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            do {
                all.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (selector.select(patience.toMillis()) == 0 && !patience.isZero()) {
                    throw new Hangs("it said nothing for " + patience.toSeconds() + " s");
                }
                selector.selectedKeys().clear();
            } while (channel.read(buffer) >= 0 && all.size() < limit);
            return all.toByteArray();
        }
    }

    /**
     * Gives it mode 0600. {@link io.meshhost.machine.Files#change} cannot: without following, the JDK opens what it
     * changes, and a socket cannot be opened. So the name is followed here, in a directory that is ours alone only.
     *
     * @throws MachineFailure where others may enter the directory, or it is no socket
     */
    public static void closeToOthers(Path socket) {
        Path directory =
                Optional.ofNullable(socket.toAbsolutePath().getParent()).orElse(socket);
        try {
            Optional<Stat> at = Stats.lstat(directory);
            boolean ours = at.filter(stat -> stat.uid() == Self.read().uid() && (stat.mode() & 077) == 0)
                    .isPresent();
            if (!ours
                    || Stats.lstat(socket)
                            .filter(stat -> stat.type() == Stat.Type.OTHER)
                            .isEmpty()) {
                throw new MachineFailure(
                        "cannot close " + socket + " to others: it is no socket in a directory of ours alone;"
                                + " give its directory mode 0700");
            }
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new MachineFailure("cannot close " + socket + " to others: " + e.getMessage(), e);
        }
    }
}
