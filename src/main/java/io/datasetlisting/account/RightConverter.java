package io.datasetlisting.account;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores a right under its name on the wire. */
@Converter
public class RightConverter implements AttributeConverter<Right, String> {

    @Override
    public String convertToDatabaseColumn(Right right) {
        return right.toString();
    }

    @Override
    public Right convertToEntityAttribute(String name) {
        return Right.of(name);
    }
}
