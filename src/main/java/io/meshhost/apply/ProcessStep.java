package io.meshhost.apply;

import java.nio.file.Path;
import java.time.Duration;

/** What is done for a process, one effect each; carried out by {@link ProcessCarry} and {@link ProcessRemoval}. */
sealed interface ProcessStep extends Step {

    /** What taking a process away is made of. */
    sealed interface Taking extends ProcessStep {}

    /** Nothing is touched: what stands there is written down as what is kept from now on. */
    record Adopt(Path tree) implements ProcessStep {
        @Override
        public String sentence() {
            return "note " + tree + " as found";
        }
    }

    /** What an apply that was cut off left is put right first: nothing unproven stays under the name. */
    record Mend() implements ProcessStep {
        @Override
        public String sentence() {
            return "put right what an interrupted change left";
        }
    }

    /**
     * @param shown the digest, shortened, and the size where known
     */
    record Unpack(String shown, Path beside) implements ProcessStep {
        @Override
        public String sentence() {
            return "unpack bundle " + shown + " beside, as " + beside;
        }
    }

    record Swap(Path tree) implements ProcessStep {
        @Override
        public String sentence() {
            return "swap it in as " + tree;
        }
    }

    /** A unit that ends before its file goes or its meaning changes; links of enable go too. */
    record Retire(String unit) implements Taking {
        @Override
        public String sentence() {
            return "stop and disable " + unit;
        }
    }

    /** Stopped, and left installed. */
    record Halt(String unit) implements ProcessStep {
        @Override
        public String sentence() {
            return "stop " + unit;
        }
    }

    record Write(Path path) implements ProcessStep {
        @Override
        public String sentence() {
            return "write " + path;
        }
    }

    record Delete(Path path) implements Taking {
        @Override
        public String sentence() {
            return "delete " + path;
        }
    }

    /** Unit files are read again, where they changed, and what was understood is compared with what was meant. */
    record Check() implements ProcessStep {
        @Override
        public String sentence() {
            return "read back what was understood of the unit";
        }
    }

    record Enable(String unit) implements ProcessStep {
        @Override
        public String sentence() {
            return "enable " + unit;
        }
    }

    record Start(String unit) implements ProcessStep {
        @Override
        public String sentence() {
            return "start " + unit;
        }
    }

    record Restart(String unit) implements ProcessStep {
        @Override
        public String sentence() {
            return "restart " + unit;
        }
    }

    /** Waits until it is well, or has proven not to be. */
    record Prove(String how) implements ProcessStep {
        @Override
        public String sentence() {
            return "wait until " + how;
        }
    }

    record Run(Duration timeout) implements ProcessStep {
        @Override
        public String sentence() {
            return "run it to its end, within " + timeout.toSeconds() + " s";
        }
    }

    record Reload() implements Taking {
        @Override
        public String sentence() {
            return "have the supervisor read its units again";
        }
    }

    /** No entry of a removed unit stays in the list of failed ones. */
    record Forget(String unit) implements Taking {
        @Override
        public String sentence() {
            return "forget " + unit;
        }
    }

    record DeleteTree(Path path) implements Taking {
        @Override
        public String sentence() {
            return "delete " + path + " and all in it";
        }
    }
}
