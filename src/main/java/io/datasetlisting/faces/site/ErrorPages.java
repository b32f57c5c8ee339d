package io.datasetlisting.faces.site;

import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.quarkus.arc.Unremovable;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;

/** Writes errors as pages, in the words of readers. */
@Singleton
@Unremovable
class ErrorPages implements Errors.PageWriter {

    /** The addresses with a page of one dataset, or with its form. */
    private static final List<String> PAGES_OF_A_DATASET = Stream.concat(
            Stream.of(Endpoints.PAGES + Endpoints.ID, Endpoints.PAGES + Endpoints.EDIT),
            Stream.concat(Endpoints.COLLECTION_IDS.stream().map(id -> Endpoints.COLLECTIONS + '/' + id),
                    Stream.of(Endpoints.COLLECTION_OF_WORKSPACE))
                    .map(collection -> Endpoints.STAC + collection + Endpoints.ITEM))
            .toList();

    /**
     * An error in the frame of the pages.
     *
     * @param isEnglish
     *            whether the heading is English in every language
     * @param sentences
     *            in the language of the page
     * @param details
     *            the reasons that a program receives, in English
     */
    @CheckedTemplate(basePath = "")
    record ErrorPage(HtmlPages.Layout page, String heading, boolean isEnglish, List<String> sentences,
            List<String> details) implements TemplateInstance {
    }

    private final PageConfig config;

    ErrorPages(PageConfig config) {
        this.config = config;
    }

    @Override
    public String write(RoutingContext context, int status, String title, List<String> sentences) {
        Language language = Language.of(context);
        Words words = Words.in(language);
        String own = heading(status, words);
        String heading = own == null ? title : own;
        String sentence = sentence(context, status, title, sentences, words);
        // The address of an error is no address for search engines.
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, heading, heading,
                PublicUrl.root(context.request().path()), null);
        return HtmlPages.text(new ErrorPage(layout, heading, own == null,
                sentence == null ? List.of() : List.of(sentence), sentence == null ? sentences : List.of()), language);
    }

    /** The name of a status; null for a status that readers do not meet. */
    private static String heading(int status, Words words) {
        return switch (status) {
            case 400 -> words.of("site:bad_request");
            case 401 -> words.of("site:unauthorized");
            case 403 -> words.of("site:forbidden");
            case 404 -> words.of("site:not_found");
            case 406 -> words.of("site:not_acceptable");
            case 414, 431 -> words.of("site:too_long");
            case 429 -> words.of("site:too_many");
            case 500 -> words.of("site:server_error");
            case 503 -> words.of("site:unavailable");
            default -> null;
        };
    }

    /** The reason in the language of the page; null if only the reason for programs is known. */
    private static String sentence(RoutingContext context, int status, String title, List<String> sentences,
            Words words) {
        return switch (status) {
            case 404 -> notFound(context, title, sentences, words);
            case 500 -> words.of("site:failed");
            case 503 -> words.of("site:later");
            default -> null;
        };
    }

    private static String notFound(RoutingContext context, String title, List<String> sentences, Words words) {
        Endpoint endpoint = Endpoint.of(context);
        if (endpoint != null && PAGES_OF_A_DATASET.contains(endpoint.path())) {
            return words.of(Caller.of(context).isAnonymous() ? "site:no_public_dataset" : "site:no_dataset");
        }
        // Below the title "Not Found" the same words say nothing.
        return String.join(" ", sentences).equalsIgnoreCase(title + '.') ? words.of("site:no_page") : null;
    }
}
