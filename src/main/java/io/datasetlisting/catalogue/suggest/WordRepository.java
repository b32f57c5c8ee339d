package io.datasetlisting.catalogue.suggest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.catalogue.rank.RankedPageSql;
import io.datasetlisting.catalogue.suggest.Suggestions.Counts;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Reads the words of names, and the accounts whose name begins with a text. All callers share the words of public datasets, which
 * stay in memory. Everything else is read for one caller.
 */
@ApplicationScoped
class WordRepository {

    /** About 15 MB. */
    private static final int MAX_WORDS = 100_000;
    private static final int MAX_OWNERS = 4;
    /** The next fold learns the words of the others. */
    private static final int MAX_PENDING = 200;
    /** The newest private names of a caller. Their words take 20 ms. */
    private static final int MAX_OWN = 1_000;
    private static final int MAX_OWN_WORDS = 5_000;
    private static final String WORD = "word";
    private static final String SPACE = " ";

    /** A fold numbers its words. Words without a use come last; what is left out then is read again, see {@link #current}. */
    private static final String WORDS = """
            select string_agg(word || ' ' || written || ' ' || uses || ' ' || no, e'\n') as words, {newest} as newest
            from (select * from search_word where no > {no} order by uses desc, no desc limit {words}) known""";
    /** The number of the newest fold that has changed a word. */
    private static final String NEWEST = """
            greatest((select max(no) from search_word), {floor})""";
    private static final String FLOOR = "(select no from search_word_floor)";

    private static final String OTHERS = """
            select 'listing' as kind, '' as word, '' as written, {listing} as number
            union all
            select 'newest', '', '', {newest}
            union all
            select 'floor', '', '', {floor}
            union all
            (select 'owner', username, username, 0 from account
             where starts_with(username_key(username), username_key({owner})) and {owner} <> '' and ({owns})
             order by length(username), username limit {owners})
            union all
            select 'word', word, written, 1
            from count_words(array(select dataset_name from
                (select id from {pending} where change = 1 order by no desc limit {changes}) change
                join dataset using (id) where {public}), null) new""";

    /** The bounds of the owner are the first column of the index that has the order. */
    private static final String OWN = """
            {others}
            union all
            (select 'word', word, written, uses from count_words(array(
                select dataset_name from dataset where {private} and owner_id >= {first} and owner_id <= {last}
                order by owner_id desc, id desc limit {own}), null)
             order by uses desc limit {words})""";

    private final Reads reads;
    private final QueryCoalescer coalescer;
    private Vocabulary known = Vocabulary.EMPTY;

    WordRepository(Reads reads, QueryCoalescer coalescer) {
        this.reads = reads;
        this.coalescer = coalescer;
    }

    /**
     * What was read.
     *
     * @param listing
     *            the listing version
     * @param common
     *            the words that all callers share
     * @param more
     *            words of pending changes, and of the caller's private datasets
     * @param owners
     *            usernames of accounts with a dataset that the caller sees
     */
    record Answer(long listing, Vocabulary common, List<Word> more, List<String> owners) {
    }

    private record Changed(DatabaseServer server, Vocabulary base) {
    }

    /**
     * @param owner
     *            what usernames begin with; empty for none
     */
    Uni<Answer> read(String owner, Caller caller) {
        Sql statement = others(owner, caller);
        return ListingRepository.read(reads, caller, server -> coalescer.rows(server.searches(), statement)
                .chain(rows -> answer(server, rows)));
    }

    private static Sql others(String owner, Caller caller) {
        Sql owns = Sql.join(" or ", FilterSql.visible(Expression.ALL, caller).stream().map(
                each -> each.condition().in("exists (select from dataset where ", " and owner_id = account.id)")));
        Sql others = Sql.of(OTHERS, Map.ofEntries(Map.entry("listing", Sql.of(RankedPageSql.LISTING)),
                Map.entry("newest", newest()), Map.entry("floor", Sql.of(FLOOR)),
                Map.entry("owner", Sql.value(owner)), Map.entry("owns", owns),
                Map.entry("owners", Sql.value((long) MAX_OWNERS)), Map.entry("pending", Sql.of(RankedPageSql.PENDING)),
                Map.entry("changes", Sql.value((long) MAX_PENDING)),
                Map.entry("public", Visibility.PUBLIC.condition())));
        return caller.isAnonymous()
                ? others
                : Sql.of(OWN, Map.of("others", others, "private", Visibility.PRIVATE.condition(),
                        "first", Sql.value(caller.isAdmin() ? Long.MIN_VALUE : caller.accountId()),
                        "last", Sql.value(caller.isAdmin() ? Long.MAX_VALUE : caller.accountId()),
                        "own", Sql.value((long) MAX_OWN), "words", Sql.value((long) MAX_OWN_WORDS)));
    }

    private static Sql newest() {
        return Sql.of(NEWEST, Map.of("floor", Sql.of(FLOOR)));
    }

    private Uni<Answer> answer(DatabaseServer server, RowSet<Row> rows) {
        List<Word> words = new ArrayList<>();
        List<String> owners = new ArrayList<>();
        long newest = 0;
        long floor = 0;
        long listing = 0;
        for (Row row : rows) {
            long number = row.getLong("number");
            switch (row.getString("kind")) {
                case "owner" -> owners.add(row.getString(WORD));
                case "listing" -> listing = number;
                case "newest" -> newest = number;
                case "floor" -> floor = number;
                default -> words.add(new Word(row.getString(WORD), row.getString("written"), number, 0));
            }
        }
        long version = listing;
        return current(server, newest, floor)
                .map(common -> new Answer(version, common, words, owners));
    }

    /** The words of public datasets, not older than a fold. */
    private Uni<Vocabulary> current(DatabaseServer server, long newest, long floor) {
        Vocabulary before = known();
        if (floor > before.no() || before.lacksWords(MAX_WORDS)) {
            return after(server, Vocabulary.EMPTY);
        }
        return newest <= before.no()
                ? Uni.createFrom().item(before)
                : after(server, before).chain(now -> now == null
                        ? after(server, Vocabulary.EMPTY)
                        : Uni.createFrom().item(now));
    }

    /** A vocabulary with what folds have changed since; null if that is so much that it is better read anew. */
    private Uni<Vocabulary> after(DatabaseServer server, Vocabulary base) {
        Sql statement = Sql.of(WORDS, Map.of("newest", newest(), "no", Sql.value(base.no()), "words",
                Sql.value((long) MAX_WORDS)));
        return coalescer.share(new Changed(server, base), () -> server.searches().execute(statement)
                .map(rows -> rows.iterator().next())
                .chain(row -> CallerContext.compute(() -> merge(base, row.getString("words"), row.getLong("newest")))));
    }

    private Vocabulary merge(Vocabulary base, String text, long newest) {
        List<Word> changed = text == null ? List.of() : text.lines().map(WordRepository::word).toList();
        boolean isPart = changed.size() >= MAX_WORDS;
        if (isPart && base != Vocabulary.EMPTY) {
            return null;
        }
        Vocabulary now = base.with(changed, newest, MAX_WORDS, isPart);
        remember(now);
        return now;
    }

    /** Neither a word of PostgreSQL nor its written form has a space. */
    private static Word word(String line) {
        String[] parts = line.split(SPACE);
        return new Word(parts[0], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    private synchronized Vocabulary known() {
        return known;
    }

    /** Two requests may read at the same time, from servers of which one is behind. */
    private synchronized void remember(Vocabulary read) {
        if (read.no() >= known.no()) {
            known = read;
        }
    }

    /** How many datasets match the filter of each suggestion and are visible to the caller. For filters with a rare word. */
    Uni<Counts> count(Map<Suggestion, Expression> filters, Caller caller) {
        if (filters.isEmpty()) {
            return Uni.createFrom().item(Counts.NONE);
        }
        Sql counts = Sql.join(", ", filters.values().stream().map(each -> Sql.unionAll(
                FilterSql.visible(each, caller).stream().map(SelectionSql::ids))
                .in("(select count(*) from (", ") found)")));
        Sql statement = Sql.of("select {listing} as listing, array[{counts}] as counts",
                Map.of("listing", Sql.of(RankedPageSql.LISTING), "counts", counts));
        return ListingRepository.read(reads, caller, server -> coalescer.rows(server.searches(), statement))
                .map(rows -> rows.iterator().next())
                .map(row -> {
                    Iterator<Long> numbers = List.of(row.getArrayOfLongs("counts")).iterator();
                    Map<Suggestion, Long> found = new HashMap<>();
                    filters.keySet().forEach(each -> found.put(each, numbers.next()));
                    return new Counts(Set.of(row.getLong("listing")), found);
                });
    }
}
