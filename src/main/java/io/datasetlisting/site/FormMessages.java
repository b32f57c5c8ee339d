package io.datasetlisting.site;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/** The words of the form of a dataset. The files {@code messages/form_*.properties} have them in each language. */
@MessageBundle("form")
interface FormMessages {

    @Message
    String new_dataset();

    @Message
    String edit_dataset();

    @Message
    String the_dataset();

    @Message
    String sign_in_first();

    @Message
    String only_reads();

    @Message
    String not_yours();

    @Message
    String other_workspace();

    @Message
    String name();

    @Message
    String captured();

    @Message
    String who_sees();

    @Message
    String private_hint();

    @Message
    String where();

    @Message
    String box();

    @Message
    String point();

    @Message
    String nowhere();

    @Message
    String south();

    @Message
    String west();

    @Message
    String north();

    @Message
    String east();

    @Message
    String latitude();

    @Message
    String longitude();

    @Message
    String tags_hint();

    @Message
    String choose_picture();

    @Message
    String remove_picture();

    @Message
    String uploading();

    @Message
    String save();

    @Message
    String delete();

    @Message
    String delete_title();

    @Message
    String delete_hint();

    @Message
    String delete_hint_days(long days);

    @Message
    String conflict();

    @Message
    String conflict_hint();

    @Message
    String save_choice();

    @Message
    String drafts();

    @Message
    String deleted();

    @Message
    String drafts_hint();

    @Message
    String deleted_hint();

    @Message
    String no_drafts();

    @Message
    String no_deleted();
}
