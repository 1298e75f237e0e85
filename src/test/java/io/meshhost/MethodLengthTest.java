package io.meshhost;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A method is short enough to be seen whole. */
class MethodLengthTest {
    private static final int LINES = 30;

    /** A table of fields, and the one place where the daemon's parts are wired: lists, not logic. */
    private static final Set<String> LISTS = Set.of("ProcessTable.fields", "Daemon.start");

    @Test
    void noMethodBodyIsLongerThan30Lines() throws IOException {
        List<Path> sources;
        try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
            sources = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            List<String> tooLong = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                new Scan(unit, positions, tooLong).scan(unit, null);
            }
            assertThat(tooLong).isEmpty();
        }
    }

    private static final class Scan extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> tooLong;

        Scan(CompilationUnitTree unit, SourcePositions positions, List<String> tooLong) {
            this.unit = unit;
            this.positions = positions;
            this.tooLong = tooLong;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            if (method.getBody() != null) {
                LineMap lines = unit.getLineMap();
                long open = lines.getLineNumber(positions.getStartPosition(unit, method.getBody()));
                long close = lines.getLineNumber(positions.getEndPosition(unit, method.getBody()));
                Path file = Path.of(unit.getSourceFile().getName()).getFileName();
                String name = String.valueOf(file).replace(".java", ".") + method.getName();
                if (close - open - 1 > LINES && !LISTS.contains(name)) {
                    tooLong.add(name + " has " + (close - open - 1) + " lines");
                }
            }
            return super.visitMethod(method, null);
        }
    }
}
