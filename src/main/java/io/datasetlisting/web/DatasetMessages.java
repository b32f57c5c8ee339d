package io.datasetlisting.web;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/** The words of the page of a dataset. The files {@code messages/dataset_*.properties} have them in each language. */
@MessageBundle("dataset")
public interface DatasetMessages {

    @Message
    String way();

    @Message
    String back();

    @Message
    String all();

    @Message
    String previous();

    @Message
    String next();

    @Message
    String describe(String name, String owner, String day);

    @Message
    String describe_place(String place);

    @Message
    String square_kilometres();

    @Message
    String near();

    @Message
    String north(long kilometres);

    @Message
    String north_east(long kilometres);

    @Message
    String east(long kilometres);

    @Message
    String south_east(long kilometres);

    @Message
    String south(long kilometres);

    @Message
    String south_west(long kilometres);

    @Message
    String west(long kilometres);

    @Message
    String north_west(long kilometres);

    @Message
    String private_title();

    @Message
    String private_text();

    @Message
    String draft_title();

    @Message
    String draft_text();

    @Message
    String edit();

    @Message
    String link();

    @Message
    String copy_link();

    @Message
    String stac_item();

    @Message
    String copy_stac();

    @Message
    String download();

    @Message
    String open_in_qgis();

    @Message
    String qgis_layer();

    @Message
    String qgis_connection();

    @Message
    String copy_address();

    @Message
    String qgis_filter(long id);

    @Message
    String picture_of(String name);

    @Message
    String opacity();

    @Message
    String about();

    @Message
    String what();

    @Message
    String when_and_where();

    @Message
    String processing();

    @Message
    String statistics();

    @Message
    String other_days();

    @Message
    String nearby();

    @Message
    String technical();

    @Message
    String links();

    @Message
    String for_programs();

    @Message
    String all_of_item();

    @Message
    String as_json();

    @Message
    String none();

    @Message
    String expiring_picture();

    @Message
    String yes_private();

    @Message
    String yes_no_orthomosaic();

    @Message
    String yes_in_progress();

    @Message
    String label_id();

    @Message
    String label_uid();

    @Message
    String label_stored_name();

    @Message
    String label_picture();

    @Message
    String label_captured();

    @Message
    String label_may_be_shared();

    @Message
    String label_deleted();

    @Message
    String label_control_points();

    @Message
    String label_area();

    @Message
    String label_position();

    @Message
    String label_elevation_model();

    @Message
    String label_adjustments();

    @Message
    String label_adjustment_status();

    @Message
    String label_adjustment_id();

    @Message
    String label_description();

    @Message
    String label_tags();

    @Message
    String label_credits();

    @Message
    String label_captured_by();

    @Message
    String label_institution();

    @Message
    String label_location_name();

    @Message
    String band_count(String raster, int bands);

    @Message
    String band_count_one(String raster);

    @Message
    String chart_description(String low, String high);

    @Message
    String chart_bar(String band, String minimum, String mean, String maximum, String deviation);

    @Message
    String chart_part(int shown, int all);

    @Message
    String table();

    @Message
    String band();

    @Message
    String minimum();

    @Message
    String mean();

    @Message
    String maximum();

    @Message
    String deviation();
}
