package io.datasetlisting.web;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/** The names of the categories. The files {@code messages/category_*.properties} have them in each language. */
@MessageBundle("category")
public interface CategoryMessages {

    @Message
    String artificial();

    @Message
    String deep_ocean_floor();

    @Message
    String desert();

    @Message
    String forest();

    @Message
    String grassland();

    @Message
    String intertidal();

    @Message
    String neritic();

    @Message
    String oceanic();

    @Message
    String other();

    @Message
    String rocky();

    @Message
    String savanna();

    @Message
    String shrubland();

    @Message
    String wetlands();
}
