package io.datasetlisting.faces.web;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.http.Language;
import io.quarkus.qute.EngineBuilder;
import io.quarkus.qute.EvalContext;
import io.quarkus.qute.NamespaceResolver;
import io.quarkus.qute.Results;
import io.quarkus.qute.TemplateInstance;

/**
 * The words of the pages in a language, which are in the files {@code messages/<bundle>_<language>.properties}. A template names
 * them as {@code {msg:show_area(place)}}, and a class as {@code words.of("msg:show_area", place)}. The values of a call have the
 * order in which the English text names them.
 */
public final class Words {

    private static final List<String> BUNDLES = List.of("msg", "category", "dataset", "document", "site", "form",
            "access");
    private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");
    private static final Map<String, Properties> ENGLISH = BUNDLES.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), bundle -> read(bundle, Language.EN.tag())));
    private static final Map<Language, Words> ALL = Arrays.stream(Language.values())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), Words::new));

    /** By the name of the bundle and the name in it. */
    private final Map<String, Map<String, Text>> texts;

    private Words(Language language) {
        texts = BUNDLES.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), bundle -> {
            Properties own = language == Language.EN ? ENGLISH.get(bundle) : read(bundle, language.tag());
            return own.stringPropertyNames().stream().collect(Collectors.toUnmodifiableMap(Function.identity(),
                    name -> Text.parse(own.getProperty(name), ENGLISH.get(bundle).getProperty(name))));
        }));
    }

    /**
     * @param parts
     *            before, between and after the parameters
     * @param places
     *            of the parameters among the values of a call
     * @param values
     *            their number
     */
    private record Text(List<String> parts, List<Integer> places, int values) {

        static Text parse(String text, String english) {
            if (text.indexOf('{') < 0 && english.indexOf('{') < 0) {
                return new Text(List.of(text), List.of(), 0);
            }
            List<String> order = parameters(english).distinct().toList();
            return new Text(List.of(PARAMETER.split(text, -1)), parameters(text).map(order::indexOf).toList(),
                    order.size());
        }

        private static Stream<String> parameters(String text) {
            return PARAMETER.matcher(text).results().map(MatchResult::group);
        }

        String with(Object... given) {
            // A page does not escape a text with elements.
            if (given.length != values || parts.stream().anyMatch(part -> part.contains("<"))
                    && !Stream.of(given).allMatch(Number.class::isInstance)) {
                throw new IllegalArgumentException("wrong values of: " + String.join("…", parts));
            }
            StringBuilder text = new StringBuilder(parts.get(0));
            for (int i = 0; i < places.size(); i++) {
                text.append(Objects.toString(given[places.get(i)], "")).append(parts.get(i + 1));
            }
            return text.toString();
        }
    }

    /** The texts of a file. */
    static Properties read(String bundle, String language) {
        Properties read = new Properties();
        try {
            read.load(new StringReader(ClassPathFile.read("/messages/" + bundle + "_" + language + ".properties")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read;
    }

    public static Words in(Language language) {
        return ALL.get(language);
    }

    /**
     * @param name
     *            of the bundle, a colon, and the name in it
     */
    public String of(String name, Object... values) {
        int colon = name.indexOf(':');
        return texts.get(name.substring(0, colon)).get(name.substring(colon + 1)).with(values);
    }

    /** Gives the templates a namespace for each bundle. */
    @Singleton
    static class Namespaces {

        void add(@Observes EngineBuilder engine) {
            BUNDLES.forEach(bundle -> engine.addNamespaceResolver(
                    NamespaceResolver.builder(bundle).resolve(context -> of(bundle, context)).build()));
        }
    }

    /** A text that a template names. The template escapes it with its values. */
    private static Object of(String bundle, EvalContext context) {
        Locale locale = (Locale) context.getAttribute(TemplateInstance.LOCALE);
        Text text = in(Language.ofTag(locale.getLanguage())).texts.get(bundle).get(context.getName());
        return text == null
                ? Results.notFound(context)
                : text.with(
                        context.getParams().stream().map(value -> HtmlPages.now(context.evaluate(value))).toArray());
    }
}
