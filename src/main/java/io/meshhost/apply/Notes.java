package io.meshhost.apply;

import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import java.util.List;

/** What is said once for a whole apply instead of at every resource. */
final class Notes {
    private Notes() {}

    static List<String> of(Declaration declaration, Facts facts) {
        boolean owned = declaration.resources().anyMatch(Notes::ownsByName);
        return owned && !facts.root()
                ? List.of("owners and groups are left as they are: only root can set them")
                : List.of();
    }

    private static boolean ownsByName(Resource resource) {
        return switch (resource) {
            case Resource.FileResource file ->
                file.owner().isPresent() || file.group().isPresent();
            case Resource.DirectoryResource directory ->
                directory.owner().isPresent() || directory.group().isPresent();
            case Resource.ArchiveResource archive -> false;
            case Resource.UserResource user -> false;
            case Resource.ServiceResource service -> false;
            case Resource.ProcessResource process -> false;
        };
    }
}
