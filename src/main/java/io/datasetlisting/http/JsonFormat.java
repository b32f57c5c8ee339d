package io.datasetlisting.http;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.jackson.ObjectMapperCustomizer;

/** The bytes of the JSON on the wire. */
@Singleton
class JsonFormat implements ObjectMapperCustomizer {

    @Override
    public void customize(ObjectMapper mapper) {
        // Unescaped UTF-8, characters beyond the basic plane too.
        mapper.getFactory().configure(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8, true);
        // The shortest digits that read back as the same number, on every JDK: before JDK 19 its own may be longer.
        mapper.getFactory().configure(StreamWriteFeature.USE_FAST_DOUBLE_WRITER.mappedFeature(), true);
    }
}
