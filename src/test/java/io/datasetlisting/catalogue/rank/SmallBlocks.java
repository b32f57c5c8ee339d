package io.datasetlisting.catalogue.rank;

import java.util.List;

import io.datasetlisting.support.Catalogue;

/** Makes blocks, sections, parts and backlogs smaller until it is closed, so that few datasets fill several of them. */
public final class SmallBlocks implements AutoCloseable {

    private final Catalogue catalogue;
    private final String functions;

    /**
     * @param times
     *            how many times smaller
     */
    public SmallBlocks(Catalogue catalogue, int times) {
        this.catalogue = catalogue;
        functions = definitions("pg_get_functiondef(oid)");
        String smaller = "pg_get_functiondef(oid)";
        for (String size : List.of("128", "256", "512", "1024", "5000", "10000", "width - 64")) {
            String number = size.replaceAll("\\D", "");
            smaller = "regexp_replace(%s, '\\m%s\\M', '%s', 'g')".formatted(smaller, size,
                    size.replace(number, "" + Integer.parseInt(number) / times));
        }
        catalogue.sql(definitions(smaller));
    }

    private String definitions(String each) {
        return catalogue.sql("select string_agg(" + each + ", ';') from pg_proc where proname in"
                + " ('cut_rank_section', 'split_rank_blocks', 'fold_rank', 'merge_rank_changes', 'write_parts',"
                + " 'merge_part_changes')")
                .get(0).getString(0);
    }

    @Override
    public void close() {
        catalogue.sql(functions);
    }
}
