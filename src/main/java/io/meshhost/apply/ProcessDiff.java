package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.machine.Places;
import io.meshhost.machine.services.Services.UnitFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a plan shows of a process: its bundle by names and sizes, its units as a unified diff, no secret ever; pure. */
final class ProcessDiff {
    /** A bundle can hold tens of thousands of names; a person reads the first. */
    private static final int NAMES = 40;

    private final ProcessWanted wanted;
    private final ProcessSight seen;
    private final Places places;

    ProcessDiff(ProcessWanted wanted, ProcessSight seen, Places places) {
        this.wanted = wanted;
        this.seen = seen;
        this.places = places;
    }

    List<String> lines(ProcessDrift drift) {
        List<String> lines = new ArrayList<>();
        if (drift.bundle()) {
            lines.addAll(bundle());
        }
        if (wanted.form() == ProcessForm.STEP) {
            String old = seen.notes().map(ProcessNotes::how).orElse("");
            lines.addAll(TextDiff.of(wanted.spec().name(), old, wanted.how()));
        }
        for (UnitFile file : wanted.files()) {
            lines.addAll(unit(file));
        }
        for (Path path : drift.surplus()) {
            String shown = places.declared(path).toString();
            boolean secret = path.startsWith(places.stateDir());
            lines.addAll(
                    secret
                            ? List.of(shown + ": secrets, removed")
                            : TextDiff.of(shown, seen.unitTexts().getOrDefault(path, ""), ""));
        }
        return lines;
    }

    private List<String> unit(UnitFile file) {
        String old = seen.unitTexts().getOrDefault(file.path(), "");
        if (old.equals(file.content())) {
            return List.of();
        }
        String shown = places.declared(file.path()).toString();
        return file.sensitive()
                ? List.of(shown + ": secrets, " + (old.isEmpty() ? "new" : "changed"))
                : TextDiff.of(shown, old, file.content());
    }

    private List<String> bundle() {
        List<String> lines = new ArrayList<>();
        String size = wanted.size() < 0 ? "" : ", " + wanted.size() + " bytes";
        Optional<ProcessNotes> old = seen.notes();
        if (old.isPresent() && old.get().sha256().equals(wanted.sha256())) {
            lines.add("bundle: sha256:" + wanted.sha256() + size + ", unpacked again");
            seen.missing().forEach(path -> lines.add("  + " + path));
            return lines;
        }
        String from = old.map(notes -> "sha256:" + notes.sha256() + " -> ").orElse("");
        lines.add("bundle: " + from + "sha256:" + wanted.sha256() + size);
        wanted.entries()
                .ifPresent(entries ->
                        lines.addAll(entries(old.map(ProcessNotes::entries).orElse(List.of()), entries)));
        return lines;
    }

    private static List<String> entries(List<Entry> old, List<Entry> wanted) {
        Map<String, Entry> before = byName(old);
        Map<String, Entry> after = byName(wanted);
        List<String> lines = new ArrayList<>();
        after.forEach((name, entry) -> {
            Entry was = before.get(name);
            if (was == null) {
                lines.add("  + " + name + size(entry));
            } else if (!same(was, entry)) {
                lines.add("  ~ " + name + size(entry));
            }
        });
        before.keySet().stream().filter(name -> !after.containsKey(name)).forEach(name -> lines.add("  - " + name));
        if (lines.size() <= NAMES) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, NAMES));
        shown.add("  and " + (lines.size() - NAMES) + " more");
        return shown;
    }

    private static boolean same(Entry was, Entry is) {
        return was.type() == is.type() && was.size() == is.size() && was.link().equals(is.link());
    }

    private static String size(Entry entry) {
        return entry.type() == Entry.Type.FILE ? " (" + entry.size() + " bytes)" : "";
    }

    /** Files and links; folders say nothing that their content does not. */
    private static Map<String, Entry> byName(List<Entry> entries) {
        Map<String, Entry> names = new TreeMap<>();
        entries.stream()
                .filter(entry -> entry.type() != Entry.Type.DIRECTORY)
                .forEach(entry -> names.put(entry.path().toString(), entry));
        return names;
    }
}
