package io.datasetlisting.faces.card;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.catalogue.cache.CacheConfig;
import io.datasetlisting.catalogue.cache.RevisionCache;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.listing.StoredDatasetRepository;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.faces.ground.LandOutline;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;

/**
 * Makes the cards of a list as HTML. Most of them are cached: to read and render 15 datasets takes most of the CPU time of a
 * page.
 */
@Singleton
public class Cards {

    private static final Pattern TAG = Pattern.compile("(<span class=\"(?:category|raster)\">)([^<]*)(</span>)");
    private static final String ROOT = PublicUrl.root(Endpoints.PAGES);
    private static final String END_OF_LINK = "/\"><span class=\"picture\">";

    private final StoredDatasetRepository datasets;
    private final ThumbnailLinks thumbnails;
    private final RevisionCache<Entry> cache;
    /** The names of the tags in each language, by their English names. */
    private final Map<Language, Map<String, String>> names = names();

    Cards(StoredDatasetRepository datasets, ThumbnailLinks thumbnails, CacheConfig config, MeterRegistry meters) {
        this.datasets = datasets;
        this.thumbnails = thumbnails;
        cache = new RevisionCache<>("dataset.cards", HeapShare.CARDS.bytes(config.cards()), meters);
    }

    /** The first page does not wait for the land of its small maps. */
    void load(@Observes StartupEvent event) {
        LandOutline.load();
    }

    private static Map<Language, Map<String, String>> names() {
        Map<Language, Map<String, String>> names = new EnumMap<>(Language.class);
        for (Language language : Language.values()) {
            Map<String, String> own = new HashMap<>();
            DatasetFields.CATEGORIES.forEach(category -> own.put(ValueLabels.category(category, Language.EN),
                    ValueLabels.category(category, language)));
            DatasetFields.RASTERS.forEach(raster -> own.put(ValueLabels.raster(raster, Language.EN),
                    ValueLabels.raster(raster, language)));
            names.put(language, own);
        }
        return names;
    }

    /**
     * @param links
     *            the link window of the card's picture
     * @param language
     *            null for a card whose only words are tags: it is English, and translated for a page in another language
     */
    private record Entry(Revision revision, String links, Language language,
            String html) implements RevisionCache.Entry {

        @Override
        public int size() {
            return Character.BYTES * html.length();
        }
    }

    /**
     * The cards of a page, in its order; null if a dataset that is loaded, or the link window, has changed since the page was
     * read.
     *
     * @param page
     *            may lack the datasets
     */
    public Uni<List<String>> find(ListingResult page, Caller caller, Language language) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        if (!signer.id().equals(page.links())) {
            return Uni.createFrom().nullItem();
        }
        return cache
                .find(page.revisions(),
                        entry -> entry.links.equals(signer.id())
                                && (entry.language == null || entry.language == language),
                        ids -> datasets.find(ids, caller),
                        stored -> entry(stored, signer, language))
                .map(entries -> entries == null
                        ? null
                        : entries.stream().map(Entry::html).map(card -> translate(card, language)).toList());
    }

    private static Entry entry(StoredDataset stored, ThumbnailLinks.Signer signer, Language language) {
        Card card = Card.of(stored.dataset(), key -> key == null ? null : signer.link(key));
        return card.isPrivate()
                ? new Entry(stored.revision(), signer.id(), language, html(card, language))
                : new Entry(stored.revision(), signer.id(), null, html(card, Language.EN));
    }

    /** The cards of a page that was read with its datasets. */
    public List<String> of(ListingResult page, Language language) {
        return page.datasets().stream().map(dataset -> html(Card.of(dataset, thumbnails::picture), language)).toList();
    }

    /** The cards of a list, whose links lead to datasets that know the list. */
    public static List<String> inList(List<String> cards, QueryString query) {
        String list = query.without("p", "page_size").appendTo("").replace("&", "&amp;").replace("\"", "&quot;");
        return list.isEmpty() ? cards : cards.stream().map(card -> inList(card, list)).toList();
    }

    /** The link is the first element with this end. Text has no quotation marks, because they are escaped. */
    private static String inList(String card, String list) {
        int end = card.indexOf(END_OF_LINK);
        return card.substring(0, end + 1) + list + card.substring(end + 1);
    }

    /** A card whose tags have their names in a language. Text cannot be taken for a tag, because it is escaped. */
    private String translate(String card, Language language) {
        return language == Language.EN
                ? card
                : TAG.matcher(card).replaceAll(tag -> Matcher.quoteReplacement(
                        tag.group(1) + names.get(language).getOrDefault(tag.group(2), tag.group(2)) + tag.group(3)));
    }

    private static String html(Card card, Language language) {
        return new CardView(card, ROOT).html(language);
    }
}
