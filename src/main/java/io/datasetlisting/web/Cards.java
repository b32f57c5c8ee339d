package io.datasetlisting.web;

import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.CacheConfig;
import io.datasetlisting.cache.RevisionCache;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.http.Language;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.listing.ListingResult;
import io.datasetlisting.storage.ThumbnailLinks;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/**
 * Makes the cards of a list as HTML. Most of them are cached: to read and render 15 datasets takes most of the CPU time of a
 * page.
 */
@Singleton
class Cards {

    private static final String END_OF_LINK = "/\"><span class=\"picture\">";

    private final ListingRepository listing;
    private final ThumbnailLinks thumbnails;
    private final RevisionCache<Entry> cache;

    Cards(ListingRepository listing, ThumbnailLinks thumbnails, CacheConfig config, MeterRegistry meters) {
        this.listing = listing;
        this.thumbnails = thumbnails;
        cache = new RevisionCache<>("dataset.cards", config.cards().asLongValue(), meters);
    }

    /**
     * @param links
     *            the link window of the card's picture
     * @param language
     *            null for a card without words
     */
    private record Entry(Revision revision, String links, Language language,
            String html) implements RevisionCache.Entry {

        @Override
        public int size() {
            return Character.BYTES * html.length();
        }
    }

    /**
     * The cards of a page, in its order; null if a dataset or the link window has changed since the page was read.
     *
     * @param page
     *            may lack the datasets
     */
    Uni<List<String>> find(ListingResult page, Caller caller, Language language) {
        ThumbnailLinks.Signer signer = thumbnails.signer();
        if (!signer.id().equals(page.links())) {
            return Uni.createFrom().nullItem();
        }
        return cache
                .find(page.revisions(),
                        entry -> entry.links.equals(signer.id())
                                && (entry.language == null || entry.language == language),
                        ids -> listing.find(ids, caller),
                        stored -> entry(stored, signer, language))
                .map(entries -> entries == null ? null : entries.stream().map(Entry::html).toList());
    }

    private static Entry entry(StoredDataset stored, ThumbnailLinks.Signer signer, Language language) {
        Card card = Card.of(stored.dataset(), signer::link);
        return new Entry(stored.revision(), signer.id(), card.isPrivate() ? language : null, html(card, language));
    }

    /** The cards of a page that was read with its datasets. */
    static List<String> of(ListingResult page, Language language) {
        return page.datasets().stream().map(dataset -> html(Card.of(dataset), language)).toList();
    }

    /** The cards of a list, whose links lead to datasets that know the list. */
    static List<String> inList(List<String> cards, QueryString query) {
        String list = query.without("p", "page_size").appendTo("").replace("&", "&amp;").replace("\"", "&quot;");
        return list.isEmpty() ? cards : cards.stream().map(card -> inList(card, list)).toList();
    }

    /** The link is the first element with this end. Text has no quotation marks, because they are escaped. */
    private static String inList(String card, String list) {
        int end = card.indexOf(END_OF_LINK);
        return card.substring(0, end + 1) + list + card.substring(end + 1);
    }

    private static String html(Card card, Language language) {
        return new CardView(card, ListPages.ROOT).html(language);
    }
}
