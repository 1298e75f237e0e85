package io.meshhost.apply;

/** A fault in the host itself: one kind's must not keep the rest of the machine from converging. */
final class Fault {
    private static final System.Logger LOG = System.getLogger(Fault.class.getName());

    private Fault() {}

    /**
     * Logs it with its stack.
     *
     * @return the sentence for the outcome
     */
    static String in(String id, RuntimeException bug) {
        LOG.log(System.Logger.Level.ERROR, "fault in the host while applying " + id, bug);
        return "cannot apply " + id + ": a fault in the host itself; see its log";
    }
}
