package io.datasetlisting.catalogue.suggest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.SearchWords;
import io.datasetlisting.base.place.Gazetteer;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.index.ChunkCounter;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.catalogue.snapshot.Snapshot;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.catalogue.suggest.Suggestion.Kind;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.postgres.database.TurnQueue;
import io.smallrye.mutiny.Uni;

/** Suggests what a person may have meant by a text in the search field. */
@Singleton
public class Suggestions {

    private static final String SEARCH = "search";
    private static final int MAX_TEXT = 255;
    private static final int MAX = 8;
    private static final int MAX_TRIED = 6;
    private static final int MAX_NAMES = 4;
    private static final int MAX_OTHERS = 2;
    private static final int MAX_PLACES = 3;
    /** 100,000 words take about 3 ms of one core, unless somebody has chosen them to take longer. */
    private static final Duration MAX_TIME = Duration.ofMillis(200);
    private static final int MAX_RUNNING = 2;
    private static final int MAX_WAITING = 64;
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);
    /** Of a search without a match, whose page needs no corrections. Few of them read, so that searches have the connections. */
    private static final Duration MAX_CORRECTION = Duration.ofSeconds(1);
    private static final String NUMBER = "\\d{1,18}";

    private final WordRepository words;
    private final ColumnRepository columns;
    private final Gazetteer gazetteer;
    private final DatasetFields fields;
    private final TurnQueue turns = new TurnQueue(MAX_RUNNING, MAX_WAITING, MAX_WAIT,
            "Too many searches for similar words at once, try again later.");
    private final TurnQueue corrections = new TurnQueue(MAX_RUNNING, MAX_WAITING, MAX_CORRECTION,
            "Too many searches without a match at once, try again later.");

    Suggestions(WordRepository words, ColumnRepository columns, Gazetteer gazetteer, DatasetFields fields) {
        this.words = words;
        this.columns = columns;
        this.gazetteer = gazetteer;
        this.fields = fields;
    }

    /**
     * Suggestions for a text that is being typed.
     *
     * @param listing
     *            the listing version; null if the datasets changed between two reads, or the time was over before all words
     *            were compared
     */
    record Answer(Long listing, List<Suggestion> suggestions) {
    }

    /**
     * Suggestions for a search without a match.
     *
     * @param similar
     *            names that the text may stand for
     * @param containing
     *            names with the text inside of a word
     * @param frequent
     *            frequent words, if there is nothing else
     * @param areas
     *            places and coordinates
     */
    public record Corrections(List<Suggestion> similar, List<Suggestion> containing, List<Suggestion> frequent,
            List<Suggestion> areas) {

        boolean areNone() {
            return similar.isEmpty() && containing.isEmpty() && areas.isEmpty();
        }
    }

    /**
     * @param filters
     *            the other parameters of the page
     */
    Uni<Answer> suggest(String text, QueryString filters, Caller caller) {
        check(filters, caller);
        return words.read(text, caller).chain(read -> seek(read, lexicon -> names(text, lexicon)).chain(names -> {
            List<Suggestion> all = new ArrayList<>(names.result);
            read.owners().forEach(owner -> all.add(Suggestion.uncounted(Kind.OWNER, owner, "user", owner)));
            all.addAll(categories(text));
            if (text.matches(NUMBER)) {
                all.add(Suggestion.uncounted(Kind.DATASET, text, "id", Long.valueOf(text).toString()));
            }
            return count(all, filters, caller).map(counted -> new Answer(
                    names.isComplete && counted.listings.stream().allMatch(each -> each == read.listing())
                            ? read.listing()
                            : null,
                    chosen(text, counted.suggestions)));
        }));
    }

    /**
     * Checks the other parameters of the page, before anything is read: the answer must not say whether there is a word.
     *
     * @throws io.datasetlisting.base.ApiException
     *             400 with all wrong parameters; 401 if an anonymous caller asks for its own datasets
     */
    void check(QueryString filters, Caller caller) {
        parse(filters.without(SEARCH), caller);
    }

    /**
     * What was found among the words.
     *
     * @param isComplete
     *            whether all words were compared in time
     */
    private record Found<T>(T result, boolean isComplete) {
    }

    /** Seeks words on a worker, for a few requests at a time. */
    private <T> Uni<Found<T>> seek(WordRepository.Answer read, Function<Lexicon, T> search) {
        return inTurn(turns, () -> CallerContext.compute(() -> {
            Lexicon lexicon = new Lexicon(read.common(), read.more(), MAX_TIME);
            T result = search.apply(lexicon);
            return new Found<>(result, !lexicon.isEnded());
        }));
    }

    private static <T> Uni<T> inTurn(TurnQueue queue, Supplier<Uni<T>> work) {
        return RequestEnd.cancelAtEnd(queue.run(work));
    }

    /** Suggestions for the words of a search without a match. It fails if they take too long, or many searches wait for them. */
    public Uni<Corrections> correct(String text, QueryString filters, Caller caller) {
        check(filters, caller);
        return inTurn(corrections, () -> words.read("", caller)
                .chain(read -> seek(read, lexicon -> Correction.of(text, lexicon, MAX_TRIED)))
                .chain(found -> corrections(text, found.result, filters, caller))
                .ifNoItem().after(MAX_CORRECTION).fail()).emitOn(CallerContext.now());
    }

    private Uni<Corrections> corrections(String text, Correction correction, QueryString filters, Caller caller) {
        List<Suggestion> all = Stream.concat(correction.similar().stream(), correction.containing().stream())
                .distinct().toList();
        return count(all, filters, caller).map(counted -> {
            Map<String, Suggestion> found = new HashMap<>();
            counted.suggestions.forEach(each -> found.put(each.value(), each));
            return new Corrections(found(correction.similar(), found), found(correction.containing(), found), List.of(),
                    areasWithMistakes(text));
        }).chain(found -> found.areNone()
                ? count(correction.frequent(), filters, caller).map(counted -> new Corrections(List.of(), List.of(),
                        counted.suggestions.stream().limit(MAX_PLACES).toList(), List.of()))
                : Uni.createFrom().item(found));
    }

    private static List<Suggestion> found(List<Suggestion> tried, Map<String, Suggestion> found) {
        return tried.stream().map(each -> found.remove(each.value())).filter(each -> each != null).limit(MAX_PLACES)
                .toList();
    }

    /** The last word is still being typed. */
    private static List<Suggestion> names(String text, Lexicon lexicon) {
        String stripped = text.strip();
        String before = stripped.substring(0, stripped.lastIndexOf(' ') + 1);
        String last = SearchWords.fold(stripped.substring(before.length()));
        if (last.isEmpty() || last.indexOf(' ') >= 0) {
            return List.of();
        }
        Set<Word> found = new LinkedHashSet<>(lexicon.beginning(last, MAX_TRIED));
        if (found.size() < MAX_NAMES) {
            Stream.concat(lexicon.similar(last, MAX_TRIED).stream(), lexicon.containing(last, MAX_TRIED).stream())
                    .limit(MAX_TRIED).forEach(found::add);
        }
        return found.stream().map(word -> Suggestion.ofName(word, before + word.written())).toList();
    }

    private static List<Suggestion> categories(String text) {
        String folded = SearchWords.fold(text);
        return DatasetFields.CATEGORIES.stream()
                .filter(category -> !folded.isEmpty() && (' ' + SearchWords.fold(category)).contains(' ' + folded))
                .map(category -> Suggestion.uncounted(Kind.CATEGORY, category, "category", category)).toList();
    }

    /** The place that has exactly this name. */
    public Optional<Suggestion> place(String text) {
        return gazetteer.named(text).map(Suggestion::of);
    }

    /** The places and coordinates that a text may be. */
    public List<Suggestion> areas(String text) {
        return Coordinates.parse(text).map(point -> List.of(Suggestion.of(point)))
                .orElseGet(() -> gazetteer.find(text, MAX_PLACES).stream().map(Suggestion::of).toList());
    }

    private List<Suggestion> areasWithMistakes(String text) {
        List<Suggestion> areas = areas(text);
        String folded = SearchWords.fold(text);
        int max = Similarity.likelyMistakes(folded);
        return areas.isEmpty()
                ? gazetteer.similar(text, name -> Similarity.mistakes(folded, name, max), max, MAX_PLACES).stream()
                        .map(Suggestion::of).toList()
                : areas;
    }

    /** The most useful ones of each kind, so that no kind takes all places. A place whose name the text is comes first. */
    private List<Suggestion> chosen(String text, List<Suggestion> counted) {
        List<Suggestion> areas = areas(text);
        boolean isPlace = place(text).isPresent();
        List<Suggestion> chosen = new ArrayList<>(isPlace ? areas : List.of());
        for (Kind kind : List.of(Kind.DATASET, Kind.NAME, Kind.OWNER, Kind.CATEGORY)) {
            counted.stream().filter(each -> each.kind() == kind).limit(kind == Kind.NAME ? MAX_NAMES : MAX_OTHERS)
                    .forEach(chosen::add);
        }
        chosen.addAll(isPlace ? List.of() : areas);
        return chosen.stream().limit(MAX).toList();
    }

    private record Counted(Set<Long> listings, List<Suggestion> suggestions) {
    }

    /** The suggestions that find a dataset which the caller sees, with its number. */
    private Uni<Counted> count(List<Suggestion> candidates, QueryString filters, Caller caller) {
        // A longer text would be refused as a search.
        List<Suggestion> all = candidates.stream().filter(each -> each.value().length() <= MAX_TEXT).toList();
        Map<Suggestion, Expression> rare = new LinkedHashMap<>();
        Map<Suggestion, Expression> others = new LinkedHashMap<>();
        all.forEach(each -> {
            Expression filter = filter(each, filters, caller);
            (each.isRare() && Intersections.undecided(filter).isEmpty() ? rare : others).put(each, filter);
        });
        return words.count(rare, caller).chain(ofRare -> countOthers(others, caller).map(ofOthers -> {
            Map<Suggestion, Long> counts = new HashMap<>(ofRare.counts);
            counts.putAll(ofOthers.counts);
            return new Counted(
                    Stream.concat(ofRare.listings.stream(), ofOthers.listings.stream()).collect(Collectors.toSet()),
                    all.stream().filter(each -> counts.get(each) > 0).map(each -> each.counted(counts.get(each)))
                            .toList());
        }));
    }

    /**
     * How many datasets suggestions find.
     *
     * @param listings
     *            the listing versions in which they were counted
     */
    record Counts(Set<Long> listings, Map<Suggestion, Long> counts) {

        static final Counts NONE = new Counts(Set.of(), Map.of());
    }

    private Uni<Counts> countOthers(Map<Suggestion, Expression> filters, Caller caller) {
        if (filters.isEmpty()) {
            return Uni.createFrom().item(Counts.NONE);
        }
        Set<Expression> distinct = new LinkedHashSet<>(filters.values());
        return columns.count(
                new SnapshotRequest(caller, distinct, EnumSet.noneOf(Column.class), filters),
                () -> new Matches(filters));
    }

    /** Counts the datasets of suggestions. */
    private static final class Matches implements ChunkCounter<Counts> {

        private final Map<Suggestion, Expression> filters;
        private final Map<Suggestion, Long> found = new HashMap<>();

        Matches(Map<Suggestion, Expression> filters) {
            this.filters = filters;
        }

        @Override
        public void add(Snapshot chunk) {
            filters.forEach((each, filter) -> found.merge(each, chunk.select(filter).count(), Long::sum));
        }

        @Override
        public Counts result(long listing) {
            return new Counts(Set.of(listing), found);
        }
    }

    private Expression filter(Suggestion suggestion, QueryString filters, Caller caller) {
        QueryString others = filters.without(SEARCH, suggestion.parameter());
        return suggestion.kind() == Kind.DATASET
                ? parse(others, caller).and(new Expression.Ids(List.of(Long.valueOf(suggestion.value()))))
                : parse(others.with(suggestion.parameter(), suggestion.value()), caller);
    }

    private Expression parse(QueryString filters, Caller caller) {
        return Filter.parse(LastDay.toMoment(filters), fields, caller);
    }
}
