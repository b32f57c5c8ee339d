package io.datasetlisting.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;
import io.datasetlisting.database.DatabaseServer;
import io.datasetlisting.database.Sql;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.query.FilterSql;
import io.datasetlisting.query.SelectionSql;
import io.datasetlisting.rank.RankedPageSql;
import io.datasetlisting.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads the words of names that are new since the last read, and the accounts whose name begins with a text. */
@ApplicationScoped
class WordRepository {

    private static final int MAX_OWNERS = 4;
    /** The next fold learns the words of the others. */
    private static final int MAX_PENDING = 200;

    private static final String WORDS = """
            select 'word' as kind, word, written, uses, no from search_word where no > {no}
            union all
            (select 'owner', username, username, 0, 0 from account
             where starts_with(username_key(username), username_key({owner})) and {owner} <> ''
             order by length(username), username limit {owners})
            union all
            select 'word', word, written, 1, 0
            from written_words(array(select distinct part from
                (select id from {pending} order by no desc limit {changes}) change
                join dataset using (id) cross join name_parts(dataset_name) part
                where not is_deleted and coordinates is not null)) new
            union all
            select 'listing', '', '', {listing}, 0""";

    private final Reads reads;
    private volatile Vocabulary known = Vocabulary.EMPTY;

    WordRepository(Reads reads) {
        this.reads = reads;
    }

    /**
     * What was read.
     *
     * @param listing
     *            the listing version
     * @param owners
     *            usernames
     */
    record Answer(long listing, Vocabulary words, List<String> owners) {
    }

    /**
     * @param owner
     *            what usernames begin with; empty for none
     */
    Uni<Answer> read(String owner, Caller caller) {
        Vocabulary before = known;
        Sql statement = Sql.of(WORDS, Map.of("no", Sql.value(before.no()), "owner", Sql.value(owner),
                "owners", Sql.value((long) MAX_OWNERS), "changes", Sql.value((long) MAX_PENDING),
                "pending", Sql.of(RankedPageSql.PENDING), "listing", Sql.of(RankedPageSql.LISTING)));
        return RequestEnd.cancelAtEnd(read(caller, server -> server.searches().execute(statement)))
                .map(rows -> answer(before, rows));
    }

    /**
     * Counts.
     *
     * @param listing
     *            the listing version
     */
    record Counts(long listing, List<Long> counts) {
    }

    /** How many datasets match each of the filters and are visible to the caller. For filters with a rare word. */
    Uni<Counts> count(List<Expression> filters, Caller caller) {
        Sql counts = Sql.join(", ", filters.stream().map(each -> Sql.unionAll(
                FilterSql.visible(each, caller).stream().map(SelectionSql::ids))
                .in("(select count(*) from (", ") found)")));
        Sql statement = Sql.of("select {listing} as listing, array[{counts}] as counts",
                Map.of("listing", Sql.of(RankedPageSql.LISTING), "counts", counts));
        return RequestEnd.cancelAtEnd(read(caller, server -> server.searches().execute(statement)))
                .map(rows -> rows.iterator().next())
                .map(row -> new Counts(row.getLong("listing"), List.of(row.getArrayOfLongs("counts"))));
    }

    /** A caller that may write reads its own writes. */
    private <T> Uni<T> read(Caller caller, Function<DatabaseServer, Uni<T>> query) {
        return caller.mayWrite() ? reads.readPrimary(query) : reads.read(query);
    }

    private Answer answer(Vocabulary before, RowSet<Row> rows) {
        List<Word> words = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        long newest = before.no();
        long listing = 0;
        for (Row row : rows) {
            switch (row.getString("kind")) {
                case "owner" -> owners.add(row.getString("word"));
                case "listing" -> listing = row.getLong("uses");
                default -> {
                    words.add(new Word(row.getString("word"), row.getString("written"), row.getLong("uses")));
                    newest = Math.max(newest, row.getLong("no"));
                }
            }
        }
        Vocabulary now = before.with(words, newest);
        known = now;
        return new Answer(listing, now, owners);
    }
}
