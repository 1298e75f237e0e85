package io.meshhost.declaration;

/** The document cannot be read past this place. Never leaves the room: it becomes a {@link Fault}. */
final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Place place;
    private final String sentence;

    Unreadable(Place place, String sentence) {
        super(sentence);
        this.place = place;
        this.sentence = sentence;
    }

    Place place() {
        return place;
    }

    String sentence() {
        return sentence;
    }
}
