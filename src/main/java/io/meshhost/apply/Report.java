package io.meshhost.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an apply went, complete whichever way it went ({@code apply --json}).
 *
 * @param serial null where the declaration has none
 * @param summary how many of each action, by its word, those of no resource left out
 * @param notes said once for the whole apply, as "owners are not set: not running as root"
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Report(
        boolean ok,
        String node,
        @Nullable Long serial,
        List<Outcome> outcomes,
        Map<String, Integer> summary,
        List<String> notes) {

    /** The same, which the history could not take for that reason. */
    Report unkept(String why) {
        List<String> said = new ArrayList<>(notes);
        said.add(why);
        return new Report(false, node, serial, outcomes, summary, said);
    }
}
