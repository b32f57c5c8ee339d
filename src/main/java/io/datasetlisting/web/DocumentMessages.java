package io.datasetlisting.web;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/** The words of the pages of {@code /stac}. The files {@code messages/document_*.properties} have them in each language. */
@MessageBundle("document")
public interface DocumentMessages {

    @Message
    String as_json();

    @Message
    String landing();

    @Message
    String count(long count);

    @Message
    String count_one(long count);

    @Message
    String no_match();

    @Message
    String is_empty();

    @Message
    String all_properties();

    @Message
    String search();

    @Message
    String submit();

    @Message
    String captured();

    @Message
    String until();

    @Message
    String area();

    @Message
    String map();

    @Message
    String show_datasets();

    @Message
    String items();

    @Message
    String collections();

    @Message
    String conformance();

    @Message
    String queryables();

    @Message
    String sortables();

    @Message
    String schema();

    @Message
    String aggregations();

    @Message
    String search_result();

    @Message
    String items_heading();

    @Message
    String title_datasets();

    @Message
    String title_areas();

    @Message
    String title_points();

    @Message
    String about_datasets();

    @Message
    String about_areas();

    @Message
    String about_points();

    @Message
    String in_programs();

    @Message
    String qgis_stac();

    @Message
    String qgis_features();

    @Message
    String python();

    @Message
    String property();

    @Message
    String meaning();

    @Message
    String type();
}
