package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;

/**
 * The entries of the audit that a request is about. Each component is null where the request does not name it.
 *
 * @param users
 *            usernames and ids of accounts
 * @param actions
 *            see {@link AuditAction}
 * @param dataset
 *            id of a dataset that the entry names
 * @param since
 *            the first moment
 * @param until
 *            the first moment after them
 */
public record AuditFilter(String[] users, String[] actions, Long dataset, Instant since, Instant until) {

    private static final Set<String> NAMES = Set.of("user", "action", "dataset", "since", "until", "p", "page_size",
            "format");
    private static final int MAX_ITEMS = 100;

    private static final Set<String> ACTIONS = Arrays.stream(AuditAction.values()).map(AuditAction::toString)
            .collect(Collectors.toUnmodifiableSet());

    /**
     * @throws io.datasetlisting.base.ApiException
     *             400 for a parameter that the audit does not have, or with another form
     */
    public static AuditFilter of(QueryString query) {
        DrfFields fields = DrfFields.of(query);
        query.forEach((name, value) -> {
            if (!NAMES.contains(name)) {
                fields.refuse(name, "Unknown parameter.");
            }
        });
        AuditFilter filter = new AuditFilter(texts(fields, "user"), texts(fields, "action"),
                fields.has("dataset") ? fields.integer("dataset", 0) : null,
                fields.has("since") ? fields.exactInstant("since") : null,
                fields.has("until") ? fields.exactInstant("until") : null);
        if (filter.actions != null) {
            Arrays.stream(filter.actions).filter(action -> !ACTIONS.contains(action))
                    .forEach(action -> fields.refuse("action", DrfFields.notAChoice(action)));
        }
        fields.check();
        return filter;
    }

    private static String[] texts(DrfFields fields, String name) {
        List<String> texts = fields.texts(name, MAX_ITEMS);
        return texts.isEmpty() ? null : texts.toArray(String[]::new);
    }
}
