package io.datasetlisting.dataset;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import com.fasterxml.jackson.databind.ser.impl.SimpleBeanPropertyFilter;
import com.fasterxml.jackson.databind.ser.impl.SimpleFilterProvider;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** Writes datasets with some of their fields. */
@Singleton
class FieldSelection {

    private static final String FILTER = "fields";

    private final Set<String> names;
    private final ObjectWriter whole;
    private final ObjectWriter filtered;

    FieldSelection(ObjectMapper mapper) {
        names = names(mapper);
        whole = mapper.writerFor(DatasetView.class);
        // A mapper of its own: where all fields are written, nothing asks a filter about each.
        filtered = mapper.copy().addMixIn(DatasetView.class, Selected.class).writerFor(DatasetView.class);
    }

    /** Puts a filter on {@link DatasetView}. */
    // Jackson reads the annotation off the class.
    @RegisterForReflection
    @JsonFilter(FILTER)
    interface Selected {
    }

    /** All fields, by their names on the wire and in their order. */
    Set<String> names() {
        return names;
    }

    /**
     * What writes a {@link DatasetView} with these fields alone, in the order of the contract whatever the set's own;
     * {@link ObjectWriter#forType} makes it one for what contains datasets. Cheap to make: what is costly is in the
     * mappers.
     */
    ObjectWriter writer(Set<String> fields) {
        return fields.containsAll(names)
                ? whole
                : filtered.with(new SimpleFilterProvider().addFilter(FILTER,
                        SimpleBeanPropertyFilter.filterOutAllExcept(fields)));
    }

    private static Set<String> names(ObjectMapper mapper) {
        try {
            Set<String> names = new LinkedHashSet<>();
            Iterator<PropertyWriter> properties = mapper.getSerializerProviderInstance()
                    .findValueSerializer(DatasetView.class).properties();
            properties.forEachRemaining(property -> names.add(property.getName()));
            return Collections.unmodifiableSet(names);
        } catch (JsonMappingException e) {
            throw new IllegalStateException(e);
        }
    }
}
