package io.meshhost.declaration;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Where a key or a value stands. The pointer is put together only when somebody asks: most places of a large
 * document are never part of a fault.
 *
 * @param line from 1
 * @param column from 1, in characters (code points)
 * @param parent what holds it; null for the whole document
 * @param step its name or index in the parent
 */
record Place(int line, int column, @Nullable Place parent, String step) {
    static Place root(int line, int column) {
        return new Place(line, column, null, "");
    }

    Place child(String name, int atLine, int atColumn) {
        return new Place(atLine, atColumn, this, name);
    }

    /** The same pointer, another position: a value has the pointer of its key. */
    Place at(int atLine, int atColumn) {
        return new Place(atLine, atColumn, parent, step);
    }

    /** RFC 6901. */
    String pointer() {
        Deque<String> steps = new ArrayDeque<>();
        for (Place place = this; place.parent != null; place = place.parent) {
            steps.push(place.step.replace("~", "~0").replace("/", "~1"));
        }
        StringBuilder pointer = new StringBuilder();
        for (String name : steps) {
            pointer.append('/').append(name);
        }
        return pointer.toString();
    }
}
