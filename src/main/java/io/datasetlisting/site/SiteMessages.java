package io.datasetlisting.site;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/**
 * The words of the errors and of the documentation. The files {@code messages/site_*.properties} have them in each language.
 */
@MessageBundle("site")
interface SiteMessages {

    @Message
    String bad_request();

    @Message
    String unauthorized();

    @Message
    String forbidden();

    @Message
    String not_found();

    @Message
    String not_acceptable();

    @Message
    String too_long();

    @Message
    String too_many();

    @Message
    String server_error();

    @Message
    String unavailable();

    @Message
    String no_page();

    @Message
    String no_public_dataset();

    @Message
    String no_dataset();

    @Message
    String signed_in();

    @Message
    String close_window();

    @Message
    String later();

    @Message
    String failed();

    @Message
    String search();

    @Message
    String submit();

    @Message
    String all_datasets();

    @Message
    String docs_description();

    @Message
    String docs_json();

    @Message
    String docs_document();

    @Message
    String docs_stac();

    @Message
    String five_calls();

    @Message
    String call_list();

    @Message
    String call_one();

    @Message
    String call_search();

    @Message
    String call_area();

    @Message
    String call_table();

    @Message
    String try_it();

    @Message
    String needs_scripts();

    @Message
    String stac_docs_title();

    @Message
    String stac_docs_description();

    @Message
    String stac_docs_json();
}
