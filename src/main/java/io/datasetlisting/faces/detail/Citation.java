package io.datasetlisting.faces.detail;

import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.faces.view.ProgramLinks;

/**
 * How to cite a dataset.
 *
 * @param text
 *            of the owner, or made from the fields of the dataset
 * @param bibtex
 *            an entry of BibTeX
 * @param doi
 *            null without one
 */
record Citation(String text, String bibtex, ProgramLinks.Link doi) {

    /** The characters with a meaning in TeX, or in BibTeX, which counts braces behind a backslash, too. */
    private static final Map<String, String> SPECIAL = Map.ofEntries(Map.entry("\\", "\\textbackslash{}"),
            Map.entry("{", "\\textbraceleft{}"), Map.entry("}", "\\textbraceright{}"),
            Map.entry("~", "\\textasciitilde{}"), Map.entry("^", "\\textasciicircum{}"), Map.entry("@", "{@}"),
            Map.entry("%", "\\%"), Map.entry("&", "\\&"), Map.entry("$", "\\$"), Map.entry("#", "\\#"),
            Map.entry("_", "\\_"));
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

    /**
     * @param name
     *            of the dataset for people
     * @param address
     *            of the page of the dataset
     * @param catalogue
     *            name of the catalogue
     */
    static Citation of(Dataset dataset, String name, String address, String catalogue) {
        String author = dataset.dataCapturedBy == null ? dataset.ownerName : dataset.dataCapturedBy;
        String publisher = dataset.institutionName == null ? catalogue : dataset.institutionName;
        String year = Integer.toString(dataset.capturedDate.atOffset(ZoneOffset.UTC).getYear());
        String permanent = dataset.doi == null ? address : DatasetView.resolver(dataset.doi);
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("author", '{' + escape(author) + '}');
        entry.put("title", '{' + escape(name) + '}');
        entry.put("year", year);
        entry.put("publisher", escape(publisher));
        if (dataset.doi != null) {
            entry.put("doi", dataset.doi);
        }
        entry.put("url", permanent);
        if (dataset.citation != null) {
            entry.put("note", escape(dataset.citation));
        }
        return new Citation(
                dataset.citation == null
                        ? author + " (" + year + "): " + name + ". " + publisher + ". " + permanent
                        : dataset.citation,
                entry.entrySet().stream().map(field -> "  " + field.getKey() + " = {" + field.getValue() + "}")
                        .collect(Collectors.joining(",\n", "@misc{dataset" + dataset.id + ",\n", "\n}")),
                dataset.doi == null ? null : new ProgramLinks.Link(dataset.doi, permanent));
    }

    private static String escape(String text) {
        return SPACE.matcher(text).replaceAll(" ").strip().codePoints().mapToObj(Character::toString)
                .map(each -> SPECIAL.getOrDefault(each, each)).collect(Collectors.joining());
    }
}
