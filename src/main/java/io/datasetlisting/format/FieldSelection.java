package io.datasetlisting.format;

import java.util.Set;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.ser.impl.SimpleBeanPropertyFilter;
import com.fasterxml.jackson.databind.ser.impl.SimpleFilterProvider;

import io.datasetlisting.dataset.DatasetColumns;
import io.datasetlisting.dataset.DatasetView;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Writes datasets with some of their fields. */
@Singleton
public class FieldSelection {

    private static final String FILTER = "fields";

    private final ObjectWriter whole;
    private final ObjectWriter filtered;

    public FieldSelection(ObjectMapper mapper) {
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

    /**
     * What writes a {@link DatasetView} with these fields alone, in the order of the contract whatever the set's own;
     * {@link ObjectWriter#forType} makes it one for what contains datasets. Cheap to make: what is costly is in the
     * mappers.
     */
    public ObjectWriter writer(Set<String> fields) {
        return fields.equals(DatasetColumns.FIELDS)
                ? whole
                : filtered.with(new SimpleFilterProvider().addFilter(FILTER,
                        SimpleBeanPropertyFilter.filterOutAllExcept(fields)));
    }
}
