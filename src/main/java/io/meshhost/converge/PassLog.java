package io.meshhost.converge;

import io.meshhost.apply.Action;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.declaration.Fault;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Tells the log of a pass: what changed each time, what fails or is refused once for each change of answer, so that
 * a machine that nobody looks after does not fill its journal every ten minutes. One thread.
 */
final class PassLog {
    private static final Logger LOG = Logger.getLogger("io.meshhost.reconcile");

    private final Map<String, String> told = new HashMap<>();
    private String refused = "";
    private String summary = "";

    void tell(Ended ended, boolean expected) {
        switch (ended) {
            case Ended.Applied(Report report) -> {
                applied(report, expected);
                summary(report);
            }
            case Ended.Refused(String sentence, List<Fault> faults) -> {
                if (once(sentence + faults)) {
                    LOG.error(sentence);
                    faults.forEach(fault -> LOG.error(fault.toString()));
                }
            }
            case Ended.Failed(String sentence) -> {
                if (once(sentence)) {
                    LOG.error(sentence);
                }
            }
        }
    }

    private void applied(Report report, boolean expected) {
        refused = "";
        for (Outcome outcome : report.outcomes()) {
            if (failed(outcome)) {
                String error = String.valueOf(outcome.error());
                if (!error.equals(told.put(outcome.id(), error))) {
                    LOG.errorf("%s: failed: %s", outcome.id(), error);
                }
                continue;
            }
            if (told.remove(outcome.id()) != null) {
                LOG.infof("%s: well again", outcome.id());
            }
            if (changed(outcome)) {
                LOG.infof(
                        "%s: %s%s: %s",
                        outcome.id(),
                        expected ? "" : "drift mended, ",
                        outcome.action(),
                        outcome.detail().replace("\n", " | "));
            }
        }
    }

    /** What an operator would look for, said by a part of the host. */
    static void note(String sentence) {
        LOG.info(sentence);
    }

    /** The first time, whenever the answer is another, and whenever something was changed: a line that says all is well. */
    private void summary(Report report) {
        String text = (report.ok() ? "as declared: " : "not as declared: ") + Sentences.summary(report.summary());
        if (!text.equals(summary) || report.outcomes().stream().anyMatch(PassLog::changed)) {
            LOG.info(text);
        }
        summary = text;
    }

    private boolean once(String text) {
        boolean news = !text.equals(refused);
        refused = text;
        return news;
    }

    static boolean failed(Outcome outcome) {
        return outcome.action().equals(Action.FAILED.word());
    }

    static boolean changed(Outcome outcome) {
        for (Action action : Action.values()) {
            if (action.word().equals(outcome.action())) {
                return action.changes();
            }
        }
        return false;
    }
}
