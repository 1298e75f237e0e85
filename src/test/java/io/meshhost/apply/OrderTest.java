package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.declaration.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {
    private static List<String> order(Resource... declared) {
        return Order.of(List.of(declared)).stream().map(Resource::id).toList();
    }

    private static Resource node(String id, String... after) {
        return file(id, "/" + id, "", after);
    }

    @Test
    void withoutNeedsTheDeclaredOrderStands() {
        assertThat(order(node("m/c"), node("m/a"), node("m/b"))).containsExactly("m/c", "m/a", "m/b");
    }

    @Test
    void whatWaitsMovesOnlyAsFarAsItMust() {
        assertThat(order(node("m/a", "m/c"), node("m/b"), node("m/c"), node("m/d")))
                .containsExactly("m/b", "m/c", "m/a", "m/d");
    }

    @Test
    void aChainAcrossModulesIsFollowed() {
        assertThat(order(node("m/a", "n/b"), node("n/b", "o/c"), node("o/c"))).containsExactly("o/c", "n/b", "m/a");
    }

    @Test
    void whatIsNotInTheDeclarationIsNotWaitedFor() {
        assertThat(order(node("m/a", "other/x"), node("m/b"))).containsExactly("m/a", "m/b");
    }
}
