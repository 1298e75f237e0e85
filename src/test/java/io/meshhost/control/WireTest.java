package io.meshhost.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.converge.HostStatus;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A record that a native executable does not know of would be written as {@code {}} there, and only there. */
class WireTest {
    /** What {@link Wire#json} is given and {@link Wire#read} is asked for. */
    private static final List<Class<?>> WRITTEN = List.of(HostStatus.class, Outcome.class, Report.class);

    @Test
    void everyRecordOnTheWireIsRegisteredForNativeExecutables() {
        Set<String> reached = new TreeSet<>();
        WRITTEN.forEach(type -> reach(type, reached));
        Set<String> registered = Stream.of(
                        Wire.class.getAnnotation(RegisterForReflection.class).targets())
                .map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(registered).isEqualTo(reached).contains("io.meshhost.converge.HostStatus$Last");
    }

    @Test
    void nobodyElseWritesObjectsAsJson() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.meshhost");
        Set<String> binders = classes.stream()
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().getName().equals("com.fasterxml.jackson.databind.ObjectMapper"))
                .filter(call -> Set.of("writeValueAsString", "writeValue", "readValue", "valueToTree", "treeToValue")
                        .contains(call.getName()))
                .map(call -> call.getOriginOwner().getName())
                .collect(Collectors.toSet());
        assertThat(binders).containsExactly(Wire.class.getName());
    }

    private static void reach(Type type, Set<String> reached) {
        if (type instanceof ParameterizedType generic) {
            Stream.of(generic.getActualTypeArguments()).forEach(argument -> reach(argument, reached));
        } else if (type instanceof Class<?> named && named.getName().startsWith("io.meshhost.")) {
            assertThat(named.isRecord()).as("%s is a record", named).isTrue();
            if (reached.add(named.getName())) {
                for (RecordComponent component : named.getRecordComponents()) {
                    reach(component.getGenericType(), reached);
                }
            }
        }
    }
}
