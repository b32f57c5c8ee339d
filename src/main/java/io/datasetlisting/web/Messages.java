package io.datasetlisting.web;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/**
 * The words of the pages. The files {@code messages/msg_*.properties} have them in each language. A message with an element of
 * HTML has numbers as its parameters only, because its result is not escaped.
 */
@MessageBundle
public interface Messages {

    @Message
    String language();

    @Message
    String language_name();

    @Message
    String direction();

    @Message
    String description();

    @Message
    String title_of_page(long number, String title);

    @Message
    String skip();

    @Message
    String service();

    @Message
    String theme();

    @Message
    String theme_system();

    @Message
    String theme_light();

    @Message
    String theme_dark();

    @Message
    String choose_language();

    @Message
    String sign_in();

    @Message
    String sign_in_hint();

    @Message
    String sign_in_at(String provider);

    @Message
    String token();

    @Message
    String cancel();

    @Message
    String private_mark();

    @Message
    String datasets();

    @Message
    String search_label();

    @Message
    String search_example();

    @Message
    String show();

    @Message
    String filters();

    @Message
    String filters_count(int count);

    @Message
    String chips();

    @Message
    String remove_filter(String label);

    @Message
    String clear_all();

    @Message
    String refused();

    @Message
    String no_page(String page, Long last);

    @Message
    String to_last_page();

    @Message
    String no_page_number(String page);

    @Message
    String to_first_page();

    @Message
    String count(long first, long last, long count);

    @Message
    String count_one(long first, long last, long count);

    @Message
    String no_match();

    @Message
    String is_empty();

    @Message
    String order();

    @Message
    String newest();

    @Message
    String oldest();

    @Message
    String name_up();

    @Message
    String name_down();

    @Message
    String owner_up();

    @Message
    String owner_down();

    @Message
    String last_added();

    @Message
    String first_added();

    @Message
    String order_ascending(String label);

    @Message
    String order_descending(String label);

    @Message
    String pages();

    @Message
    String first();

    @Message
    String previous();

    @Message
    String next();

    @Message
    String last();

    @Message
    String page_of(long page, long last);

    @Message
    String go_to_page();

    @Message
    String go();

    @Message
    String view_for_programs();

    @Message
    String this_page(String format);

    @Message
    String all_pages(String format);

    @Message
    String json_lines();

    @Message
    String stac_search();

    @Message
    String cannot_filter(String names);

    @Message
    String qgis_this_page();

    @Message
    String qgis_all();

    @Message
    String more();

    @Message
    String days();

    @Message
    String more_filters();

    @Message
    String my_datasets();

    @Message
    String new_dataset();

    @Message
    String only_private();

    @Message
    String only_drafts();

    @Message
    String only_deleted();

    @Message
    String only_public();

    @Message
    String phrase_mine();

    @Message
    String phrase_private();

    @Message
    String phrase_public();

    @Message
    String label_own();

    @Message
    String sign_in_for_mine();

    @Message
    String shape();

    @Message
    String shape_list();

    @Message
    String shape_gallery();

    @Message
    String shareable();

    @Message
    String not_shareable();

    @Message
    String any();

    @Message
    String yes();

    @Message
    String no();

    @Message
    String apply();

    @Message
    String show_count(long count);

    @Message
    String show_one(long count);

    @Message
    String time_of_capture();

    @Message
    String datasets_by_time();

    @Message
    String bar(String first, String datasets);

    @Message
    String bar_one(String first);

    @Message
    String bar_days(String first, String last, String datasets);

    @Message
    String bar_days_one(String first, String last);

    @Message
    String did_you_mean();

    @Message
    String names_containing(String typed);

    @Message
    String show_area(String place);

    @Message
    String chip_search(String value);

    @Message
    String chip_area();

    @Message
    String chip_user(String value);

    @Message
    String chip_workspace(String value);

    @Message
    String chip_band(String value);

    @Message
    String chip_raster(String value);

    @Message
    String chip_stats(String value);

    @Message
    String chip_changed(String value);

    @Message
    String chip_days(String value, String until);

    @Message
    String chip_from(String value);

    @Message
    String chip_until(String value);

    @Message
    String chip_before(String value);

    @Message
    String phrase_search(String value);

    @Message
    String phrase_area();

    @Message
    String phrase_user(String value);

    @Message
    String phrase_workspace(String value);

    @Message
    String phrase_band(String value);

    @Message
    String phrase_raster(String value);

    @Message
    String phrase_stats(String value);

    @Message
    String phrase_shareable();

    @Message
    String phrase_not_shareable();

    @Message
    String phrase_changed(String value);

    @Message
    String phrase_from(String value);

    @Message
    String phrase_until(String value);

    @Message
    String phrase_before(String value);

    @Message
    String title(String phrases);

    @Message
    String title_one(String phrases, String number);

    @Message
    String title_many(String phrases, String number);

    @Message
    String summary_day_one(String day, String owners);

    @Message
    String summary_day(String day, String owners);

    @Message
    String summary_one(String first, String last, String owners);

    @Message
    String summary(String first, String last, String owners);

    @Message
    String error_text();

    @Message
    String error_category();

    @Message
    String error_raster();

    @Message
    String error_day();

    @Message
    String error_user();

    @Message
    String error_band();

    @Message
    String error_workspace();

    @Message
    String error_area();

    @Message
    String error_yes_no();

    @Message
    String error_other();

    @Message
    String label_search();

    @Message
    String label_category();

    @Message
    String label_rasters();

    @Message
    String label_stats();

    @Message
    String label_year();

    @Message
    String label_from();

    @Message
    String label_until();

    @Message
    String label_before();

    @Message
    String label_changed();

    @Message
    String label_owner();

    @Message
    String label_band();

    @Message
    String label_workspace();

    @Message
    String label_area();

    @Message
    String label_page_size();

    @Message
    String raster_ortho();

    @Message
    String raster_multispec();

    @Message
    String raster_dsm();

    @Message
    String raster_dtm();

    @Message
    String datasets_of_workspace(String number);

    @Message
    String datasets_nearby();

    @Message
    String from_to(String from, String to);

    @Message
    String changes();

    @Message
    String changes_feed();

    @Message
    String change_added();

    @Message
    String change_changed();

    @Message
    String change_gone(long number);

    @Message
    String no_changes();
}
