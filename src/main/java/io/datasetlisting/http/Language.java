package io.datasetlisting.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * The language of a page: the cookie {@value #COOKIE} has priority over {@code Accept-Language}, and English is the default.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-accept-language">RFC 9110, Accept-Language</a>
 */
public enum Language {

    EN("English"), DE("Deutsch"), FR("Français"), ES("Español"), AR("العربية");

    /** The cookie that the switch of the pages sets. */
    public static final String COOKIE = "language";
    /** Browsers send shorter headers. A longer header is ignored, because its parser takes time for each range. */
    private static final int MAX_LENGTH = 200;
    /** Browsers send a few hundred different headers. */
    private static final int MAX_KNOWN = 500;
    private static final String KEY = Language.class.getName();
    private static final List<Locale> LOCALES = Arrays.stream(values()).map(Language::locale).toList();
    /** Headers that were parsed before. */
    private static final Map<String, Language> KNOWN = new ConcurrentHashMap<>();

    private final String tag = name().toLowerCase(Locale.ROOT);
    private final Locale locale = Locale.forLanguageTag(tag);

    private final String title;

    Language(String title) {
        this.title = title;
    }

    /** The name of the language in the language itself. */
    public String title() {
        return title;
    }

    public Locale locale() {
        return locale;
    }

    /** The tag of the language, as in {@code Content-Language}. */
    public String tag() {
        return tag;
    }

    /** The language of the page that answers a request, which is found once. */
    public static Language of(RoutingContext context) {
        Language language = context.get(KEY);
        if (language == null) {
            language = of(context.request());
            context.put(KEY, language);
        }
        return language;
    }

    private static Language of(HttpServerRequest request) {
        if (request.headers().contains(HttpHeaders.COOKIE)) {
            Cookie cookie = request.getCookie(COOKIE);
            Language chosen = cookie == null ? null : ofTag(cookie.getValue());
            if (chosen != null) {
                return chosen;
            }
        }
        return ofHeader(request.getHeader(HttpHeaders.ACCEPT_LANGUAGE));
    }

    /** The language with a tag, or null. */
    public static Language ofTag(String tag) {
        return Stream.of(values()).filter(language -> language.tag().equals(tag)).findFirst().orElse(null);
    }

    /** The language by {@code Accept-Language}; English for a header that is missing, malformed or too long. */
    static Language ofHeader(String header) {
        if (header == null || header.length() > MAX_LENGTH) {
            return EN;
        }
        Language known = KNOWN.get(header);
        if (known == null) {
            known = parse(header);
            if (KNOWN.size() < MAX_KNOWN) {
                KNOWN.put(header, known);
            }
        }
        return known;
    }

    private static Language parse(String header) {
        try {
            Locale best = Locale.lookup(Locale.LanguageRange.parse(header), LOCALES);
            return best == null ? EN : values()[LOCALES.indexOf(best)];
        } catch (IllegalArgumentException e) {
            return EN;
        }
    }
}
