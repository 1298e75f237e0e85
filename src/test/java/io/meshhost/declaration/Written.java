package io.meshhost.declaration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.Health.Check;
import java.time.Duration;
import java.util.Collection;

/** Writes a declaration down again, in full, as JSON: what was read must be what is read back. */
final class Written {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Written() {}

    static ObjectNode declaration(Declaration declaration) {
        ObjectNode node = NODES.objectNode();
        node.put("node", declaration.node());
        declaration.serial().ifPresent(serial -> node.put("serial", serial));
        ArrayNode modules = node.putArray("modules");
        for (Declaration.Module module : declaration.modules()) {
            ObjectNode manifest = modules.addObject();
            manifest.put("module", module.name())
                    .put("version", module.version())
                    .put("slug", module.slug());
            ArrayNode resources = manifest.putArray("resources");
            module.resources().forEach(resource -> resources.add(resource(resource)));
        }
        return node;
    }

    private static ObjectNode resource(Resource resource) {
        ObjectNode node = NODES.objectNode();
        Head head = resource.head();
        node.put("id", head.id().substring(head.id().indexOf('/') + 1)).put("type", resource.type());
        words(node, "after", head.after());
        words(node, "restart_on", head.restartOn());
        switch (resource) {
            case Resource.FileResource file -> file(node, file);
            case Resource.DirectoryResource directory -> {
                node.put("path", path(directory.path().toString()));
                directory.mode().ifPresent(mode -> node.put("mode", Integer.toOctalString(mode)));
                directory.owner().ifPresent(owner -> node.put("owner", owner));
                directory.group().ifPresent(group -> node.put("group", group));
            }
            case Resource.ArchiveResource archive -> {
                node.put("path", path(archive.path().toString())).put("strip", archive.strip());
                bytes(node, archive.bytes());
            }
            case Resource.UserResource user -> {
                node.put("name", user.name()).put("system", user.system());
                user.uid().ifPresent(uid -> node.put("uid", uid));
                user.home().ifPresent(home -> node.put("home", path(home.toString())));
                user.shell().ifPresent(shell -> node.put("shell", path(shell.toString())));
                words(node, "groups", user.groups());
            }
            case Resource.ServiceResource service -> {
                node.put("unit", service.unit());
                service.running().ifPresent(running -> node.put("state", running ? "running" : "stopped"));
                service.enabled().ifPresent(enabled -> node.put("enabled", enabled));
            }
            case Resource.ProcessResource process -> process(node, process);
        }
        return node;
    }

    private static void file(ObjectNode node, Resource.FileResource file) {
        node.put("path", path(file.path().toString())).put("secret", file.secret());
        file.mode().ifPresent(mode -> node.put("mode", String.format("%04o", mode)));
        file.owner().ifPresent(owner -> node.put("owner", owner));
        file.group().ifPresent(group -> node.put("group", group));
        switch (file.content()) {
            case Content.Text text -> node.put("content", text.text());
            case Content.Fetched fetched -> bytes(node, fetched.bytes());
        }
    }

    private static void process(ObjectNode node, Resource.ProcessResource process) {
        node.put("name", process.name()).put("run_once", process.runOnce());
        node.put("sandbox", process.sandbox().name().toLowerCase(java.util.Locale.ROOT));
        bytes(node, process.bytes());
        words(node, "run", process.run());
        ObjectNode env = node.putObject("env");
        process.env().forEach((name, value) -> {
            if (value.secret()) {
                env.putObject(name).put("secret", value.text());
            } else {
                env.put(name, value.text());
            }
        });
        words(
                node,
                "env_file",
                process.envFiles().stream().map(file -> path(file.toString())).toList());
        process.user().ifPresent(user -> node.put("user", user));
        process.schedule().ifPresent(schedule -> {
            node.put("schedule", schedule.cron().text());
            schedule.zone().ifPresent(zone -> node.put("timezone", zone.getId()));
        });
        process.timeout().ifPresent(timeout -> node.put("timeout", duration(timeout)));
        ObjectNode limits = node.putObject("limits");
        process.limits().memory().ifPresent(memory -> limits.put("memory", Long.toString(memory)));
        process.limits().cpu().ifPresent(cpu -> limits.put("cpu", cpu));
        process.limits().tasks().ifPresent(tasks -> limits.put("tasks", tasks));
        process.limits().files().ifPresent(files -> limits.put("files", files));
        process.health().ifPresent(health -> health(node.putObject("health"), health));
    }

    private static void health(ObjectNode node, Resource.Health health) {
        node.put("interval", duration(health.interval())).put("timeout", duration(health.timeout()));
        switch (health.check()) {
            case Check.Http http -> node.put("http", http.url().toString());
            case Check.Socket socket -> node.put("socket", path(socket.path().toString()));
            case Check.Command command -> words(node, "command", command.argv());
        }
    }

    private static void bytes(ObjectNode node, Bytes bytes) {
        switch (bytes) {
            case Bytes.Published published ->
                node.put("source", path(published.source().toString())).put("digest", published.sha256());
            case Bytes.Unpublished _, Bytes.Given _, Bytes.OtherSystem _ ->
                throw new IllegalStateException("only published bytes are written down here");
        }
    }

    /** A name that is replaced, with its dollars made literal. */
    private static String path(String text) {
        return text.replace("${", "$${");
    }

    private static String duration(Duration duration) {
        return duration.toHours() + "h" + duration.toMinutesPart() + "m" + duration.toSecondsPart() + "s";
    }

    private static void words(ObjectNode node, String name, Collection<String> words) {
        words.forEach(node.withArray("/" + name)::add);
    }
}
