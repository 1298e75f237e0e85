package io.meshhost.declaration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML to a {@link Node}: one document of mappings, lists and scalars. Anchors, aliases, merge keys and tags are
 * refused: they let one line of text change another that a reviewer does not see.
 *
 * <p>SnakeYAML's events are used as they are, under Jackson's parser, because they alone tell a quoted word from an
 * unquoted one ({@code "0644"} from {@code 0644}) and keep an anchor apart from an alias.
 */
final class YamlTree {
    private final Parser events;
    private final Faults faults;

    private YamlTree(Parser events, Faults faults) {
        this.events = events;
        this.faults = faults;
    }

    static Node read(String text, Faults faults) throws Unreadable {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SourceText.MAX_BYTES);
        options.setProcessComments(false);
        try {
            return new YamlTree(new ParserImpl(new StreamReader(text), options), faults).document();
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            Place place = mark == null ? Place.root(1, 1) : at(Place.root(1, 1), mark);
            throw new Unreadable(place, "this is not YAML: " + words(e));
        } catch (ReaderException e) {
            Place place = new SourceText.Cursor(text).at(offset(text, e.getPosition()));
            throw new Unreadable(
                    place, String.format("the character U+%04X may not stand in YAML; remove it", e.getCodePoint()));
        } catch (YAMLException e) {
            throw new Unreadable(Place.root(1, 1), "this is not YAML: " + firstLine(e.getMessage()));
        }
    }

    private static int offset(String text, int codePoints) {
        int all = text.codePointCount(0, text.length());
        return text.offsetByCodePoints(0, Math.clamp(codePoints, 0, all));
    }

    private static String words(MarkedYAMLException e) {
        String context = e.getContext() == null ? "" : firstLine(e.getContext()) + ", ";
        return context + firstLine(e.getProblem());
    }

    private static String firstLine(@Nullable String text) {
        return text == null
                ? "a syntax error"
                : text.lines().findFirst().orElse("a syntax error").strip();
    }

    private static Place at(Place named, @Nullable Mark mark) {
        return mark == null ? named : named.at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private Node document() throws Unreadable {
        events.getEvent(); // the stream's start
        if (events.checkEvent(Event.ID.StreamEnd)) {
            throw new Unreadable(
                    Place.root(1, 1), "the file is empty; write a declaration, at least {\"modules\": []}");
        }
        events.getEvent(); // the document's start
        Event first = events.getEvent();
        Node root = value(at(Place.root(1, 1), first.getStartMark()), first, 0);
        events.getEvent(); // the document's end
        if (!events.checkEvent(Event.ID.StreamEnd)) {
            Event next = events.peekEvent();
            throw new Unreadable(
                    at(Place.root(1, 1), next.getStartMark()),
                    "a second YAML document begins here; a file holds one declaration");
        }
        return root;
    }

    private Node value(Place place, Event event, int depth) throws Unreadable {
        if (depth > SourceText.MAX_DEPTH) {
            throw new Unreadable(place, "lists and objects are nested deeper than " + SourceText.MAX_DEPTH + " levels");
        }
        if (event instanceof NodeEvent node && !(event instanceof AliasEvent) && node.getAnchor() != null) {
            faults.add(
                    place, "the anchor &" + node.getAnchor() + " is not supported; write the value where it is used");
        }
        return switch (event) {
            case AliasEvent alias -> {
                faults.add(place, "the alias *" + alias.getAnchor() + " is not supported; write the value itself");
                yield new Node.Broken(place);
            }
            case ScalarEvent scalar -> scalar(place, scalar);
            case SequenceStartEvent list -> {
                tag(place, list.getTag());
                yield listing(place, depth);
            }
            case MappingStartEvent map -> {
                tag(place, map.getTag());
                yield mapping(place, depth);
            }
            case Event other -> throw new Unreadable(place, "this is not YAML: " + other.getEventId() + " stands here");
        };
    }

    private void tag(Place place, @Nullable String tag) {
        if (tag != null) {
            faults.add(
                    place,
                    "the tag " + tag.replace("tag:yaml.org,2002:", "!!")
                            + " is not supported; remove it, and quote what is text");
        }
    }

    private Node scalar(Place place, ScalarEvent scalar) {
        if (scalar.getTag() != null) {
            tag(place, scalar.getTag());
            return new Node.Broken(place);
        }
        String text = scalar.getValue();
        return scalar.isPlain()
                ? new Node.Scalar(place, Scalars.plain(text), text, true)
                : Scalars.text(place, text, faults);
    }

    private Node listing(Place place, int depth) throws Unreadable {
        List<Node> items = new ArrayList<>();
        for (Event event = events.getEvent(); !event.is(Event.ID.SequenceEnd); event = events.getEvent()) {
            Place item = at(place.child(Integer.toString(items.size()), 0, 0), event.getStartMark());
            items.add(value(item, event, depth + 1));
        }
        return new Node.Listing(place, items);
    }

    private Node mapping(Place place, int depth) throws Unreadable {
        Map<String, Node.Entry> entries = new LinkedHashMap<>();
        for (Event event = events.getEvent(); !event.is(Event.ID.MappingEnd); event = events.getEvent()) {
            Optional<String> name = key(place, event, depth);
            Place key = at(place.child(name.orElse("?"), 0, 0), event.getStartMark());
            Event next = events.getEvent();
            Node value = value(at(key, next.getStartMark()), next, depth + 1);
            if (name.isPresent()) {
                Scalars.put(entries, name.get(), new Node.Entry(key, value), faults);
            }
        }
        return new Node.Mapping(place, entries);
    }

    /** The name of a key; empty where its fault is said. */
    private Optional<String> key(Place map, Event event, int depth) throws Unreadable {
        Place place = at(map, event.getStartMark());
        if (!(event instanceof ScalarEvent scalar)) {
            value(place, event, depth + 1);
            faults.add(place, "a key is a name, not a list, an object or an alias");
            return Optional.empty();
        }
        if (scalar.getAnchor() != null || scalar.getTag() != null) {
            faults.add(place, "a key with an anchor or a tag is not supported; write the name alone");
        }
        if (scalar.isPlain() && scalar.getValue().equals("<<")) {
            faults.add(place, "the merge key << is not supported; write the fields themselves");
            return Optional.empty();
        }
        return Optional.of(scalar.getValue());
    }
}
