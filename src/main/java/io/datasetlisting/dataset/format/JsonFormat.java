package io.datasetlisting.dataset.format;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.jackson.ObjectMapperCustomizer;

/** Configures how the platform's Jackson writes JSON, so that the bytes are the same on every JDK. */
@Singleton
class JsonFormat implements ObjectMapperCustomizer {

    @Override
    public void customize(ObjectMapper mapper) {
        // Characters beyond the basic plane are also written as UTF-8, not as escaped surrogates.
        mapper.getFactory().configure(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8, true);
        // The shortest digits that read back as the same number. Before JDK 19 the digits of the JDK may be longer.
        mapper.getFactory().configure(StreamWriteFeature.USE_FAST_DOUBLE_WRITER.mappedFeature(), true);
    }
}
