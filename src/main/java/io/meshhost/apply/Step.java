package io.meshhost.apply;

/**
 * One effect that a plan has decided on, as plain data. Each kind has its own records of it; {@code apply}
 * carries out exactly these and {@code plan} prints their sentences, so that the two cannot differ.
 */
public interface Step {
    /** What it does, in words, without a secret: "write 120 bytes", "restart web.service". */
    String sentence();
}
