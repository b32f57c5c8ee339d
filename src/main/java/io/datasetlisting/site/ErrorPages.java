package io.datasetlisting.site;

import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.account.Caller;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.web.HtmlPages;
import io.quarkus.arc.Unremovable;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;

/** Writes errors as pages, in the words of readers. */
@Singleton
@Unremovable
class ErrorPages implements Errors.PageWriter {

    /** The addresses with a page of one dataset. */
    private static final List<String> PAGES_OF_A_DATASET = Stream.concat(Stream.of(Endpoints.PAGES + Endpoints.ID),
            Endpoints.COLLECTION_IDS.stream()
                    .map(id -> Endpoints.STAC + Endpoints.COLLECTIONS + '/' + id + Endpoints.ITEM))
            .toList();

    /** An error in the frame of the pages. */
    @CheckedTemplate(basePath = "")
    record ErrorPage(HtmlPages.Layout page, String heading, List<String> sentences) implements TemplateInstance {
    }

    private final PageConfig config;

    ErrorPages(PageConfig config) {
        this.config = config;
    }

    @Override
    public String write(RoutingContext context, int status, String title, List<String> sentences) {
        // The address of an error is no address for search engines.
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, title, title,
                PublicUrl.root(context.request().path()), null);
        return HtmlPages.text(new ErrorPage(layout, title,
                status == 404 ? List.of(notFound(context, title, sentences)) : sentences), Language.of(context));
    }

    private static String notFound(RoutingContext context, String title, List<String> sentences) {
        Endpoint endpoint = Endpoint.of(context);
        if (endpoint != null && PAGES_OF_A_DATASET.contains(endpoint.path())) {
            return Caller.of(context).isAnonymous()
                    ? "There is no public dataset at this address. It may be private: sign in to see your own datasets."
                    : "There is no dataset at this address, or it is private and belongs to another account.";
        }
        // Below the title "Not Found" the same words say nothing.
        String sentence = String.join(" ", sentences);
        return sentence.equalsIgnoreCase(title + '.') ? "The service has no page at this address." : sentence;
    }
}
