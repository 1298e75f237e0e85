package io.meshhost.machine;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.OptionalInt;

/** {@link Changer} for ground that others may write or swap: everything by open directory, nothing by path. */
final class ShiftingChanger {
    private final Desk desk;
    private final Trees trees;

    ShiftingChanger(Desk desk, Trees trees) {
        this.desk = desk;
        this.trees = trees;
    }

    void makeDirectory(Spot spot, Path name, Attributes wanted) throws IOException {
        refuseSpecial(spot, wanted);
        Path shown = spot.directory().resolve(name);
        Optional<Stat> there = Stats.lstat(shown);
        if (there.filter(Stat::isDirectory).isPresent()) {
            return;
        }
        if (there.isPresent()) {
            throw new Refusal("something else is there; remove it, or declare another path");
        }
        int mode = wanted.mode().orElse(0755);
        int uid = wanted.uid().orElse(desk.self.uid());
        // Made beside it, it has the group of a setgid parent already.
        OptionalInt gid = wanted.gid().isPresent() || !spot.shifting() ? wanted.gid() : OptionalInt.of(desk.self.gid());
        Attributes all = new Attributes(OptionalInt.of(mode), OptionalInt.of(uid), gid);
        Path room = Temporary.of(spot, shown);
        try (SecureDirectoryStream<Path> anchor = Trees.open(spot.anchor());
                SecureDirectoryStream<Path> parent = Descent.to(spot)) {
            trees.delete(anchor, Walk.name(room), room);
            try (SecureDirectoryStream<Path> made = Descent.room(desk, anchor, room)) {
                Descent.dress(desk, made, room, all);
                desk.gate.pass("rename", shown);
                anchor.move(Walk.name(room), parent, name);
            } catch (IOException e) {
                trees.clear(anchor, room, e);
                throw e;
            }
        }
        desk.changed(spot.directory());
    }

    /**
     * Of a directory only: no other thing can be opened, looked at and changed as one and the same (Java has no
     * fchown(2) for files), and whoever may rename here could have another file be the one that is changed.
     */
    void change(Spot spot, Path name, Attributes wanted) throws IOException {
        refuseSpecial(spot, wanted);
        Path shown = spot.directory().resolve(name);
        Stat now = Stats.lstat(shown).orElseThrow(() -> new NoSuchFileException(shown.toString()));
        if (!now.isDirectory()) {
            throw new Refusal("others may put something else at its name, and it is no directory; write it anew");
        }
        try (SecureDirectoryStream<Path> parent = Descent.to(spot);
                SecureDirectoryStream<Path> open = Descent.enter(parent, name)) {
            if (gives(open, wanted) && open.iterator().hasNext()) {
                throw new Refusal("others may put another directory at its name, and this one is not empty; "
                        + "give it its owner and mode by hand, or empty it");
            }
            Descent.dress(desk, open, shown, wanted);
        }
        desk.walk.forget();
    }

    /**
     * Whether somebody gets at what is in the directory who could not before. It may be any that whoever may rename here
     * found at hand, and not the one that was meant.
     */
    private boolean gives(SecureDirectoryStream<Path> open, Attributes wanted) throws IOException {
        PosixFileAttributes now =
                open.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
        boolean owner =
                wanted.uid().isPresent() && !Descent.belongs(now, wanted.uid().getAsInt());
        if (owner && !desk.walk.ours(wanted.uid().getAsInt())) {
            return true;
        }
        boolean group =
                wanted.gid().isPresent() && !Descent.inGroup(now, wanted.gid().getAsInt());
        boolean wider = wanted.mode().isPresent()
                && !now.permissions()
                        .containsAll(Descent.permissions(wanted.mode().getAsInt()));
        boolean ours = Descent.belongs(now, 0) || Descent.belongs(now, desk.self.uid());
        return ours && (group || wider);
    }

    void move(Spot from, Path name, Spot to, Path newName) throws IOException {
        try (SecureDirectoryStream<Path> source = Descent.to(from);
                SecureDirectoryStream<Path> destination = Descent.to(to)) {
            desk.gate.pass("rename", to.directory().resolve(newName));
            source.move(name, destination, newName);
        }
        changed(to);
        changed(from);
    }

    void delete(Spot spot, Path name) throws IOException {
        try (SecureDirectoryStream<Path> parent = Descent.to(spot)) {
            desk.gate.pass("unlink", spot.directory().resolve(name));
            if (Trees.isDirectory(parent, name)) {
                parent.deleteDirectory(name);
            } else {
                parent.deleteFile(name);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        changed(spot);
    }

    void deleteTree(Spot spot, Path name) throws IOException {
        Changer.refuseMounts(spot.directory().resolve(name));
        try (SecureDirectoryStream<Path> parent = Descent.to(spot)) {
            trees.delete(parent, name, spot.directory().resolve(name));
        }
        changed(spot);
    }

    private void changed(Spot spot) {
        desk.walk.forget();
        desk.changed(spot.directory());
    }

    private static void refuseSpecial(Spot spot, Attributes wanted) throws Refusal {
        if ((wanted.mode().orElse(0) & 07000) != 0) {
            throw new Refusal("setuid, setgid and sticky are not set in " + spot.directory()
                    + ", where others may write or which they may replace; declare a mode without them");
        }
    }
}
