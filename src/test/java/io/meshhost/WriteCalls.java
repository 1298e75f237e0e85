package io.meshhost;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Set;

/** Calls of {@code java.nio.file.Files} and {@code java.io} that change the disk. */
final class WriteCalls {
    private static final Set<String> WRITERS = Set.of(
            "write",
            "writeString",
            "newBufferedWriter",
            "newOutputStream",
            "createFile",
            "createDirectory",
            "createDirectories",
            "createTempFile",
            "createTempDirectory",
            "createLink",
            "createSymbolicLink",
            "delete",
            "deleteIfExists",
            "move",
            "copy",
            "setAttribute",
            "setOwner",
            "setPosixFilePermissions",
            "setLastModifiedTime");

    private static final Set<String> OLD_WRITERS = Set.of("delete", "mkdir", "mkdirs", "renameTo", "createNewFile");

    private WriteCalls() {}

    static DescribedPredicate<JavaMethodCall> any() {
        return DescribedPredicate.describe("writes to the disk", call -> switch (call.getTargetOwner()
                .getFullName()) {
            case "java.nio.file.Files" -> WRITERS.contains(call.getTarget().getName());
            case "java.io.File" -> OLD_WRITERS.contains(call.getTarget().getName());
            default -> false;
        });
    }
}
