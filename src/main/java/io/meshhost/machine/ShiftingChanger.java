package io.meshhost.machine;

import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.Walk.Spot;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Optional;
import java.util.OptionalInt;

/** {@link Changer} for ground that others may swap: everything by open directory, nothing by path. */
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
        int gid = wanted.gid().orElse(desk.self.gid());
        Attributes all = new Attributes(OptionalInt.of(mode), OptionalInt.of(uid), OptionalInt.of(gid));
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

    void change(Spot spot, Path name, Attributes wanted) throws IOException {
        refuseSpecial(spot, wanted);
        Path shown = spot.directory().resolve(name);
        Stat now = Stats.lstat(shown).orElseThrow(() -> new NoSuchFileException(shown.toString()));
        // A second name may be anybody's file, brought here to be given away.
        if (!now.isDirectory() && !(now.isFile() && now.links() == 1)) {
            throw new Refusal("others may write its directory, and it is no plain file with a single name");
        }
        try (SecureDirectoryStream<Path> parent = Descent.to(spot)) {
            Descent.dress(desk, parent, name, shown, wanted);
        }
        desk.walk.forget();
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
            throw new Refusal("setuid, setgid and sticky are not set below " + spot.directory()
                    + ", which others may replace; declare a mode without them");
        }
    }
}
