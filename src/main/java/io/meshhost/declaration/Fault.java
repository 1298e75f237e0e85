package io.meshhost.declaration;

/**
 * One thing that is wrong with a declaration.
 *
 * @param file as the operator called it
 * @param line from 1
 * @param column from 1
 * @param pointer JSON Pointer (RFC 6901), "" for the whole document
 * @param message one sentence: what is wrong and what to write instead
 * @param warning said, but refuses nothing
 */
public record Fault(String file, int line, int column, String pointer, String message, boolean warning) {
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + Words.oneLine(pointer) + ": " + (warning ? "warning: " : "")
                + message;
    }
}
