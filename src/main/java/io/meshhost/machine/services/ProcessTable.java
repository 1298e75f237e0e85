package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The machine's processes as proc_pid_stat(5) shows them, and signals to those whose identity holds. */
public final class ProcessTable {
    /** Fields of stat after the name, which ends with the last parenthesis: state is 3. */
    private static final int FIRST = 3;

    private static final int PARENT = 4;
    private static final int SESSION = 6;
    private static final int START = 22;
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern COLUMN = Pattern.compile(" {2,}");
    private static final Set<String> DEAD = Set.of("Z", "X");
    private final Path proc;

    /**
     * @param proc {@code /proc}
     */
    public ProcessTable(Path proc) {
        this.proc = proc;
    }

    /**
     * @param started clock ticks after boot: with the pid, and within one boot, an identity
     * @param dead ended, its parent has not asked yet
     */
    public record Entry(int pid, int parent, int session, long started, boolean dead) {}

    /** One boot of the machine, by the kernel's own name for it. */
    public String bootId() {
        return read(proc.resolve("sys/kernel/random/boot_id"))
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip())
                .orElse("");
    }

    public Optional<Entry> entry(int pid) {
        return read(proc.resolve(pid + "/stat"))
                .flatMap(bytes -> parse(new String(bytes, StandardCharsets.ISO_8859_1)));
    }

    /** One line of stat; the name may hold blanks and parentheses. */
    static Optional<Entry> parse(String line) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        List<String> fields = List.of(BLANK.split(line.substring(close + 1).strip(), -1));
        if (fields.size() <= START - FIRST) {
            return Optional.empty();
        }
        return Optional.of(new Entry(
                Integer.parseInt(line.substring(0, open).strip()),
                Integer.parseInt(fields.get(PARENT - FIRST)),
                Integer.parseInt(fields.get(SESSION - FIRST)),
                Long.parseLong(fields.get(START - FIRST)),
                DEAD.contains(fields.getFirst())));
    }

    /**
     * All that live now; what ends while we look is left out.
     *
     * @throws MachineFailure when they cannot be listed: too many files are open, or there is no such directory
     */
    List<Entry> all() {
        List<Entry> out = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path name : names) {
                entry(Integer.parseInt(name.getFileName().toString()))
                        .filter(entry -> !entry.dead())
                        .ifPresent(out::add);
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw unlisted(e);
        }
        return out;
    }

    private MachineFailure unlisted(Exception e) {
        return new MachineFailure(
                "cannot list the processes in " + proc + ": " + e.getMessage()
                        + "; see that it is mounted, and that not" + " too many files are open",
                e);
    }

    /**
     * What is left of one run: its main process while that lives, all that descends from it, its session, and
     * whatever carries its mark. This is as near to a control group as one comes without one.
     *
     * @param main pid, 0 when it is not known
     * @param started of the main process; nothing older is ever part of the tree
     */
    List<Entry> tree(int main, long started, String mark) {
        List<Entry> all =
                all().stream().filter(entry -> entry.started() >= started).toList();
        Optional<Entry> holder =
                all.stream().filter(entry -> entry.pid() == main).findFirst();
        // A number taken over by a stranger: neither it nor its session is ours.
        boolean ours =
                main != 0 && holder.map(entry -> entry.started() == started).orElse(true);
        Map<Integer, Entry> found = new LinkedHashMap<>();
        for (Entry entry : all) {
            if ((ours && (entry.pid() == main || entry.session() == main)) || marked(entry, mark)) {
                found.put(entry.pid(), entry);
            }
        }
        addDescendants(found, all);
        return List.copyOf(found.values());
    }

    private static void addDescendants(Map<Integer, Entry> found, List<Entry> all) {
        Deque<Entry> open = new ArrayDeque<>(found.values());
        while (!open.isEmpty()) {
            int parent = open.remove().pid();
            for (Entry entry : all) {
                if (entry.parent() == parent && found.putIfAbsent(entry.pid(), entry) == null) {
                    open.add(entry);
                }
            }
        }
    }

    private boolean marked(Entry entry, String mark) {
        return read(proc.resolve(entry.pid() + "/environ"))
                .filter(bytes -> ("\0" + new String(bytes, StandardCharsets.ISO_8859_1))
                        .contains("\0" + BuiltinCommand.MARK + "=" + mark + "\0"))
                .isPresent();
    }

    /**
     * TERM, or KILL, to exactly that process. The handle is taken before the identity is looked at and it
     * compares the start time once more itself, so a number that was reused in between is never hit.
     */
    public void signal(Entry entry, boolean kill) {
        Predicate<ProcessHandle> same = _ -> entry(entry.pid())
                .filter(now -> now.started() == entry.started())
                .isPresent();
        ProcessHandle.of(entry.pid()).filter(same).ifPresent(handle -> {
            if (kill) {
                handle.destroyForcibly();
            } else {
                handle.destroy();
            }
        });
    }

    /** Our own hard limit of open files. */
    long mostFiles() {
        return read(proc.resolve("self/limits")).stream()
                .flatMap(bytes -> new String(bytes, StandardCharsets.US_ASCII).lines())
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> List.of(COLUMN.split(line, -1)))
                .filter(columns -> columns.size() > 2 && columns.get(2).matches("\\d+"))
                .map(columns -> Long.parseLong(columns.get(2)))
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private static Optional<byte[]> read(Path path) {
        try {
            return Optional.of(Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // ESRCH: it ended between open and read; EACCES: another user's, so none that we could signal.
            return Optional.empty();
        }
    }
}
