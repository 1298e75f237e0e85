package io.meshhost.launch;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a host says on one connection, put into the loop's queue.
 *
 * @param run the start during which it connected
 * @param text answers who asks how the supervisor is
 */
record Heard(long run, Consumer<Input> queue, Supplier<String> text) implements Wire.Listener {
    @Override
    public void connected() {
        queue.accept(new Input.Speaks(run));
    }

    @Override
    public void ready() {
        queue.accept(new Input.Of(run, new Event.Ready(true)));
    }

    @Override
    public void alive() {
        queue.accept(new Input.Of(run, new Event.Alive()));
    }

    @Override
    public String status() {
        return text.get();
    }
}
