package io.datasetlisting.base;

import java.util.Locale;

import jakarta.annotation.Priority;

import org.eclipse.microprofile.config.spi.Converter;

/** Refuses a text that is neither true nor false. The platform's own converter takes each such text as false. */
@Priority(200)
public class StrictBoolean implements Converter<Boolean> {

    private static final long serialVersionUID = 1L;

    @Override
    public Boolean convert(String value) {
        return switch (value.strip().toLowerCase(Locale.ROOT)) {
            case "" -> null;
            case "true", "yes", "y", "on", "1" -> true;
            case "false", "no", "n", "off", "0" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }
}
