package io.meshhost.bundle;

import java.io.IOException;

/** The source gave other bytes than those declared; asking again would give the same. */
final class WrongBytes extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String wanted;
    private final String got;

    WrongBytes(String wanted, String got) {
        super(got);
        this.wanted = wanted;
        this.got = got;
    }

    BundleFailure failure(String source) {
        return new BundleFailure("cannot fetch " + source + ": its SHA-256 is " + got + ", declared is " + wanted
                + "; correct the digest, or publish these bytes again");
    }

    /** Carries it through code that knows only of reading. */
    static final class WhileReading extends IOException {
        private static final long serialVersionUID = 1L;

        private final WrongBytes wrong;

        WhileReading(WrongBytes wrong) {
            super(wrong);
            this.wrong = wrong;
        }

        WrongBytes wrong() {
            return wrong;
        }
    }
}
