package io.datasetlisting.access.account;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores a right in the database under its name in JSON. */
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
