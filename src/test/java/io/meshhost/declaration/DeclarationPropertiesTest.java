package io.meshhost.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.declaration.Resource.ArchiveResource;
import io.meshhost.declaration.Resource.Bytes;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.DirectoryResource;
import io.meshhost.declaration.Resource.EnvValue;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.declaration.Resource.UserResource;
import io.meshhost.machine.services.Cron;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Schedule;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is written down is read back, whatever it holds; JSON and YAML mean the same. */
class DeclarationPropertiesTest {
    private static final List<String> TEXTS = List.of(
            "",
            "plain",
            "a b",
            "\n",
            "tail\\",
            "\"quoted\" 'x'",
            "%h 100%",
            "$HOME ${X} $${Y}",
            "é日本😀",
            "\t",
            "yes",
            "0644",
            "null",
            "- x",
            "a: b",
            "#",
            "&a *b !c",
            "{",
            "x\r\ny",
            "\u2028",
            "\u0085",
            " lead",
            "trail ",
            "\ufeff",
            "~");

    private static final List<ProcessSpec.Sandbox> SANDBOXES = List.of(ProcessSpec.Sandbox.values());

    @Property(tries = 400)
    void aDeclarationWrittenDownIsReadBackTheSame(@ForAll long seed) {
        Declaration declaration = new Making(new Random(seed)).declaration();
        byte[] json = Written.declaration(declaration).toString().getBytes(StandardCharsets.UTF_8);
        assertThat(read(json, "x.json")).isEqualTo(new Reading(Optional.of(declaration), List.of()));
    }

    @Property(tries = 400)
    void jsonIsReadTheSameAsYaml(@ForAll long seed) {
        ObjectNode node = Written.declaration(new Making(new Random(seed)).declaration());
        // JSON is YAML where what YAML may not hold, or folds, is escaped.
        StringBuilder ascii = new StringBuilder();
        node.toString()
                .chars()
                .forEach(c -> ascii.append(c < 0x7F ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        byte[] bytes = ascii.toString().replace("\":", "\": ").getBytes(StandardCharsets.UTF_8);
        assertThat(read(bytes, "x.yaml").declaration())
                .isEqualTo(read(bytes, "x.json").declaration());
        assertThat(read(bytes, "x.yaml").faults()).isEmpty();
    }

    @Example
    void theOrderOfNamesIsThatOfTheDocument() {
        Reading reading = read("""
                {"module":"m","version":"1","slug":"s","resources":[
                 {"id":"z","type":"directory","path":"/z"},{"id":"a","type":"directory","path":"/a"},
                 {"id":"m","type":"directory","path":"/m","after":["z","a"]}]}""".getBytes(StandardCharsets.UTF_8), "x.json");
        assertThat(reading.declaration()
                        .orElseThrow()
                        .resources()
                        .toList()
                        .getLast()
                        .head()
                        .after())
                .containsExactly("s/z", "s/a");
    }

    static Reading read(byte[] bytes, String name) {
        return Declarations.read(bytes, name, Path.of("/base"), new MachineFacts("box1", "debian", Map.of()));
    }

    /** Makes declarations without fault. */
    private static final class Making {
        private final Random random;
        private final List<String> made = new ArrayList<>();

        Making(Random random) {
            this.random = random;
        }

        Declaration declaration() {
            List<Declaration.Module> modules = new ArrayList<>();
            for (int i = 0; i < random.nextInt(4); i++) {
                String slug = "s" + i;
                List<Resource> resources = new ArrayList<>();
                for (int j = 0; j < random.nextInt(6); j++) {
                    resources.add(resource(slug, made.size()));
                    made.add(slug + "/r" + made.size());
                }
                modules.add(new Declaration.Module("m" + i, "1." + i, slug, List.copyOf(resources)));
            }
            OptionalLong serial =
                    random.nextBoolean() ? OptionalLong.of(random.nextLong(Long.MAX_VALUE)) : OptionalLong.empty();
            return new Declaration("box1", serial, true, List.copyOf(modules));
        }

        private Resource resource(String slug, int number) {
            Head head = new Head(slug + "/r" + number, some(made), some(made));
            Path path = Path.of("/p" + number + "/" + text().replaceAll("[/\n]", "_") + "x");
            return switch (random.nextInt(6)) {
                case 0 -> new FileResource(head, path, mode(), account(), account(), random.nextBoolean(), content());
                case 1 -> new DirectoryResource(head, path, mode(), account(), account());
                case 2 -> new ArchiveResource(head, path, random.nextInt(101), bytes());
                case 3 ->
                    new UserResource(
                            head,
                            "u" + number,
                            random.nextBoolean() ? OptionalInt.of(random.nextInt(70_000)) : OptionalInt.empty(),
                            maybe(path),
                            maybe(Path.of("/bin/sh")),
                            random.nextBoolean() ? List.of("adm", "7") : List.of(),
                            random.nextBoolean());
                case 4 ->
                    new ServiceResource(
                            head, "u" + number + ".service", maybe(random.nextBoolean()), maybe(random.nextBoolean()));
                default -> process(head, "p" + number);
            };
        }

        private ProcessResource process(Head head, String name) {
            int form = random.nextInt(3);
            Optional<Schedule> schedule = form == 1
                    ? Optional.of(new Schedule(Cron.parse("*/5 1-3 * * 1"), maybe(ZoneId.of("Europe/Berlin"))))
                    : Optional.empty();
            Map<String, EnvValue> env = new LinkedHashMap<>();
            for (int i = 0; i < random.nextInt(4); i++) {
                env.put("E_" + i, new EnvValue(text(), random.nextBoolean()));
            }
            Optional<Duration> timeout =
                    form == 0 ? Optional.empty() : form == 1 ? maybe(duration()) : Optional.of(duration());
            return new ProcessResource(
                    head,
                    name,
                    bytes(),
                    List.of("bin/" + name, text(), text()),
                    env,
                    random.nextBoolean() ? List.of(Path.of("/etc/env")) : List.of(),
                    account(),
                    schedule,
                    form == 2,
                    timeout,
                    limits(),
                    SANDBOXES.get(random.nextInt(SANDBOXES.size())),
                    form == 0 ? maybe(new Health(check(), duration(), duration())) : Optional.empty());
        }

        private Health.Check check() {
            return switch (random.nextInt(3)) {
                case 0 -> new Health.Check.Http(URI.create("http://127.0.0.1:80/x?y=%20"));
                case 1 -> new Health.Check.Socket(Path.of("/run/${x}/é.sock"));
                default -> new Health.Check.Command(List.of("check", text()));
            };
        }

        private ProcessSpec.Limits limits() {
            return new ProcessSpec.Limits(
                    random.nextBoolean() ? OptionalLong.of(1 + random.nextLong(1L << 40)) : OptionalLong.empty(),
                    random.nextBoolean() ? OptionalDouble.of((1 + random.nextInt(1000)) / 8.0) : OptionalDouble.empty(),
                    random.nextBoolean() ? OptionalLong.of(1 + random.nextInt(5000)) : OptionalLong.empty(),
                    random.nextBoolean() ? OptionalLong.of(1 + random.nextInt(5000)) : OptionalLong.empty());
        }

        private Content content() {
            return random.nextBoolean() ? new Content.Text(text() + text() + "\0") : new Content.Fetched(bytes());
        }

        private Bytes bytes() {
            List<String> sources =
                    List.of("file:///srv/a%20b", "https://h.example/x.tar", "oci://h.example/n", "http://h/%C3%A9");
            return new Bytes.Published(
                    URI.create(sources.get(random.nextInt(sources.size()))),
                    String.format("%064x", new java.math.BigInteger(255, random)));
        }

        private Optional<String> account() {
            return maybe(random.nextBoolean() ? "www-data" : "1000");
        }

        private OptionalInt mode() {
            return random.nextBoolean() ? OptionalInt.of(random.nextInt(010000)) : OptionalInt.empty();
        }

        private Duration duration() {
            return Duration.ofSeconds(1 + random.nextInt(100_000));
        }

        private String text() {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }

        private Set<String> some(List<String> ids) {
            Set<String> some = new java.util.LinkedHashSet<>();
            for (int i = 0; !ids.isEmpty() && i < random.nextInt(3); i++) {
                some.add(ids.get(random.nextInt(ids.size())));
            }
            return some;
        }

        private <T> Optional<T> maybe(T value) {
            return random.nextBoolean() ? Optional.of(value) : Optional.empty();
        }
    }
}
