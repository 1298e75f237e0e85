package io.meshhost.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The small JSON documents that kinds keep in the record, as trees: nothing here needs reflection. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** What the host itself wrote; anything else is a damaged record, said by its own check. */
    static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException damaged) {
            throw new ApplyFailure(
                    ApplyFailure.Reason.FAILED,
                    "cannot read a row of the record: it is damaged; restore it from a backup, or run apply"
                            + " --rebuild-record",
                    damaged);
        }
    }
}
