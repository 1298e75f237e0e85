package io.meshhost.apply.testing;

import io.meshhost.apply.Change;
import io.meshhost.apply.Facts;
import io.meshhost.apply.Kind;
import io.meshhost.apply.Sight;
import io.meshhost.declaration.Resource;
import io.meshhost.machine.Places;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A kind that touches no path, as on a whole machine run by root, although the files are under a scratch root. */
public final class WholeMachine<R extends Resource, S> extends KindOf<R, S> {
    public WholeMachine(Kind<R, S> inner) {
        super(inner);
    }

    private static Places places() {
        Path root = Path.of("/");
        return new Places(root, root, root, root, root, root, Optional.empty());
    }

    private static Facts whole(Facts facts) {
        return new Facts(places(), true, true, true, facts.unasked(), facts.future());
    }

    private static Sight whole(Sight sight) {
        return new Sight(
                sight.files(),
                sight.accounts(),
                sight.commands(),
                sight.services(),
                sight.bundles(),
                sight.record(),
                places(),
                sight.states(),
                sight.adopting());
    }

    @Override
    public S observe(R resource, Optional<Applied> recorded, Sight sight) {
        return super.observe(resource, recorded, whole(sight));
    }

    @Override
    public Change plan(R resource, S seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        return super.plan(resource, seen, recorded, causes, whole(facts));
    }

    @Override
    public S observeUndeclared(Applied recorded, Sight sight) {
        return super.observeUndeclared(recorded, whole(sight));
    }

    @Override
    public Change planUndeclare(Applied recorded, S seen, Facts facts) {
        return super.planUndeclare(recorded, seen, whole(facts));
    }
}
