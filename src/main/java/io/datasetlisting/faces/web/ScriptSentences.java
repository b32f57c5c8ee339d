package io.datasetlisting.faces.web;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.Language;

/**
 * The sentences that the scripts of the pages show, as JSON that may stand inside of a script element. The files
 * {@code messages/script_*.properties} have those of all pages in each language, and files of their own those of the scripts that
 * only one page has. The scripts replace the parameters.
 */
public final class ScriptSentences {

    private static final Map<String, String> OF_ALL_PAGES = readAll("script");
    private static final Map<String, String> OF_OWNERS = readAll("editing");

    private ScriptSentences() {
    }

    /**
     * @param language
     *            the tag of a language
     */
    static String of(String language) {
        return OF_ALL_PAGES.get(language);
    }

    /**
     * The sentences of the scripts with which owners write.
     *
     * @param language
     *            the tag of a language
     */
    public static String ofOwners(String language) {
        return OF_OWNERS.get(language);
    }

    private static Map<String, String> readAll(String bundle) {
        return Arrays.stream(Language.values()).map(Language::tag)
                .collect(Collectors.toUnmodifiableMap(Function.identity(), language -> read(bundle, language)));
    }

    private static String read(String bundle, String language) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(Words.read(bundle, language))
                .forEach((name, sentence) -> json.put((String) name, (String) sentence));
        return json.toString().replace("<", "\\u003c");
    }
}
