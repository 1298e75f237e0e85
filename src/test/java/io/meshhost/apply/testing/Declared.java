package io.meshhost.apply.testing;

import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Head;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.declaration.Resource.UserResource;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Short ways to say what a machine should be. */
public final class Declared {
    private Declared() {}

    /** The whole machine; modules by the slugs of the ids. */
    public static Declaration machine(Resource... resources) {
        return of(true, OptionalLong.empty(), resources);
    }

    public static Declaration serial(long serial, Resource... resources) {
        return of(true, OptionalLong.of(serial), resources);
    }

    /** One manifest alone: speaks for its slug only. */
    public static Declaration manifest(String slug, Resource... resources) {
        return new Declaration(
                "box",
                OptionalLong.empty(),
                false,
                List.of(new Declaration.Module(slug, "1", slug, List.of(resources))));
    }

    private static Declaration of(boolean whole, OptionalLong serial, Resource... resources) {
        Map<String, List<Resource>> modules = new LinkedHashMap<>();
        for (Resource resource : resources) {
            modules.computeIfAbsent(resource.head().slug(), slug -> new ArrayList<>())
                    .add(resource);
        }
        return new Declaration(
                "box",
                serial,
                whole,
                modules.entrySet().stream()
                        .map(module -> new Declaration.Module(module.getKey(), "1", module.getKey(), module.getValue()))
                        .toList());
    }

    public static Head head(String id, String... after) {
        return new Head(id, Set.of(after), Set.of());
    }

    public static FileResource file(String id, String path, String text, String... after) {
        return file(id, path, text, OptionalInt.empty(), after);
    }

    public static FileResource file(String id, String path, String text, OptionalInt mode, String... after) {
        return file(head(id, after), path, mode, false, new Content.Text(text));
    }

    public static FileResource secret(String id, String path, String text) {
        return file(head(id), path, OptionalInt.empty(), true, new Content.Text(text));
    }

    public static FileResource fetched(String id, String path, Bytes bytes) {
        return file(head(id), path, OptionalInt.empty(), false, new Content.Fetched(bytes));
    }

    private static FileResource file(Head head, String path, OptionalInt mode, boolean secret, Content content) {
        return new FileResource(head, Path.of(path), mode, Optional.empty(), Optional.empty(), secret, content);
    }

    public static Bytes bytes(String sha256) {
        return new Bytes.Published(URI.create("https://bundles.example/" + sha256), sha256);
    }

    public static DirectoryResource directory(String id, String path, String... after) {
        return new DirectoryResource(
                head(id, after), Path.of(path), OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    public static ArchiveResource archive(String id, String path, String sha256) {
        return new ArchiveResource(head(id), Path.of(path), 0, bytes(sha256));
    }

    public static UserResource user(String id, String name, String shell, String... groups) {
        return new UserResource(
                head(id),
                name,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(Path.of(shell)),
                List.of(groups),
                true);
    }

    public static ServiceResource service(
            String id, String unit, Optional<Boolean> running, Optional<Boolean> enabled, String... restartOn) {
        return new ServiceResource(new Head(id, Set.of(), Set.of(restartOn)), unit, running, enabled);
    }
}
