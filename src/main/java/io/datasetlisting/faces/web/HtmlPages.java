package io.datasetlisting.faces.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.config.ConfigProvider;

import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.faces.ground.GroundFiles;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.StaticFiles;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.ext.web.RoutingContext;

/** Renders pages. */
public final class HtmlPages {

    /** Room for the text of a page of 15 datasets, which otherwise is copied again and again while it grows. */
    private static final int LENGTH = 20_000;
    private static final int LENGTH_OF_PART = 1000;

    private HtmlPages() {
    }

    /**
     * The frame of every page.
     *
     * @param catalogue
     *            name of the catalogue
     * @param title
     *            title of the page
     * @param description
     *            one sentence for search engines
     * @param root
     *            relative address of the service, {@code ../} for example: the service may stand behind a path prefix
     * @param canonical
     *            absolute address of the page; null for an error, and for a page that search engines need not know
     * @param tiles
     *            template of the addresses of the tiles of a map; null for the map of land and sea
     * @param attribution
     *            the origin of the tiles
     * @param satellite
     *            template of the addresses of pictures in place of the base map; null without them
     * @param satelliteAttribution
     *            the origin of the pictures
     */
    public record Layout(String catalogue, String title, String description, String root, String canonical,
            String tiles, String attribution, String satellite, String satelliteAttribution) {

        /** The languages of the switch. */
        public List<Language> languages() {
            return List.of(Language.values());
        }

        /**
         * The sentences of the scripts.
         *
         * @param language
         *            the tag of a language
         */
        public String sentences(String language) {
            return ScriptSentences.of(language);
        }

        /** The rules for what is seen before the style sheet is here. */
        public String firstStyle() {
            return InlinePart.STYLE.text();
        }

        /** The script that runs before the page is shown. */
        public String firstScript() {
            return InlinePart.SCRIPT.text();
        }

        /** The provider of identities, or null. */
        public Provider provider() {
            return Provider.configured();
        }

        /** In degrees, the width and the height of a part of the finer ground of maps. */
        public int partOfGround() {
            return GroundFiles.PART;
        }

        /** The relative address of the files of the page. */
        public String files() {
            return StaticFiles.address(root, StaticFiles.ASSETS);
        }

        /**
         * @param name
         *            of the page, before the name of the catalogue in the title
         */
        public static Layout of(PageConfig config, String name, String description, String root, String canonical) {
            return titled(config, name + " · " + config.title(), description, root, canonical);
        }

        /** The frame of a page that search engines need not know. */
        public static Layout of(PageConfig config, String name, RoutingContext context) {
            return of(config, name, name, PublicUrl.root(context.normalizedPath()), null);
        }

        public static Layout titled(PageConfig config, String title, String description, String root,
                String canonical) {
            return new Layout(config.title(), title, description, root, canonical, config.tiles().orElse(null),
                    config.tilesAttribution().orElse(""), config.satellite().orElse(null),
                    config.satelliteAttribution().orElse(""));
        }
    }

    /**
     * The provider of identities, as the script that signs in there needs it.
     *
     * @param scope
     *            with spaces between
     */
    public record Provider(String issuer, String client, String scope) {

        /** The provider of the configuration; null if the pages have no client there. */
        static Provider configured() {
            OidcConfig config = ConfigProvider.getConfig().unwrap(SmallRyeConfig.class)
                    .getConfigMapping(OidcConfig.class);
            return config.clientId().map(client -> new Provider(config.issuer().orElseThrow().toString(), client,
                    String.join(" ", config.scopes()))).orElse(null);
        }

        /** The name of the provider for readers. */
        public String host() {
            return URI.create(issuer).getHost();
        }
    }

    /**
     * Identifies all that pages have besides their datasets: the version, the templates, the words of all languages and the
     * configuration. It is the end of their tags.
     *
     * @param version
     *            of the service
     * @param templates
     *            the names of the files of the templates that make the pages
     */
    public static String frame(PageConfig config, String version, String... templates) {
        StringBuilder parts = new StringBuilder(version).append(StaticFiles.address("", StaticFiles.ASSETS))
                .append(InlinePart.STYLE).append(InlinePart.SCRIPT)
                .append(config.title()).append(config.tiles())
                .append(config.tilesAttribution()).append(config.satellite()).append(config.satelliteAttribution())
                .append(Provider.configured());
        for (String bundle : List.of("msg", "category", "dataset", "document", "script", "access")) {
            Stream.of(Language.values()).forEach(language -> parts
                    .append(ClassPathFile.read("/messages/" + bundle + "_" + language.tag() + ".properties")));
        }
        for (String name : templates) {
            parts.append(ClassPathFile.read("/templates/" + name));
        }
        return "-" + Long.toString(Sha256.number(parts.toString().getBytes(StandardCharsets.UTF_8)),
                Character.MAX_RADIX);
    }

    /** The end of the tag of a page that is not English. */
    public static String form(Language language) {
        return language == Language.EN ? "" : "-" + language.tag();
    }

    /** The page in a language, as bytes. */
    public static byte[] render(TemplateInstance page, Language language) {
        return text(page, language, LENGTH).getBytes(StandardCharsets.UTF_8);
    }

    /** The response with a page, whose tag changes with the content; 304 for a client that has it. */
    public static Response respond(TemplateInstance page, Language language, RoutingContext context) {
        byte[] html = render(page, language);
        return EntityTag.ofContent(html).respond(context, html, MediaTypes.HTML).build();
    }

    /** A page of a few sentences, or a part of a page, in a language. */
    public static String text(TemplateInstance part, Language language) {
        return text(part, language, LENGTH_OF_PART);
    }

    private static String text(TemplateInstance page, Language language, int length) {
        page.setLocale(language.locale());
        StringBuilder html = new StringBuilder(length);
        now(page.consume(html::append));
        return html.toString();
    }

    /** A template whose data are values is rendered at once; {@code render()} would wait for other data. */
    static <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!future.isDone()) {
            throw new IllegalStateException("the data of a page must be values");
        }
        return future.join();
    }
}
