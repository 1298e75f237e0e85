package io.meshhost.apply;

/**
 * What a kind says when it has carried out a change.
 *
 * @param detail for the outcome
 * @param signature for the record, taken from the machine after the change; empty: look closely next time
 *
 * @param notes for the record, the kind's own JSON
 */
public record Done(String detail, String signature, String notes) {}
