package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlackTest {
    private final AtomicLong heap = new AtomicLong(16 << 20);
    private final AtomicInteger collections = new AtomicInteger();
    private final Slack slack = new Slack(heap::get, () -> {
        collections.incrementAndGet();
        heap.set(40 << 20);
    });

    @Test
    void aHeapThatGrewByMuchIsCollectedOnce() {
        heap.addAndGet(Slack.MUCH);
        slack.giveBack();
        slack.giveBack();
        assertThat(collections).hasValue(1);
        assertThat(heap).hasValue(40 << 20);
    }

    @Test
    void growthIsMeasuredFromWhatWasLeft() {
        heap.addAndGet(Slack.MUCH);
        slack.giveBack();
        heap.addAndGet(Slack.MUCH - 1);
        slack.giveBack();
        assertThat(collections).hasValue(1);
        heap.addAndGet(1);
        slack.giveBack();
        assertThat(collections).hasValue(2);
    }

    @Test
    void aHeapThatStaysSmallIsLeftAlone() {
        heap.addAndGet(Slack.MUCH - 1);
        slack.giveBack();
        assertThat(collections).hasValue(0);
    }
}
