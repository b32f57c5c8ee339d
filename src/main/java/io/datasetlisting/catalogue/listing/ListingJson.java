package io.datasetlisting.catalogue.listing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;

import io.datasetlisting.catalogue.cache.DatasetJsonCache;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PageLinks;

/** Writes many datasets as JSON: the page envelope, or one text for each dataset. */
@Singleton
public class ListingJson {

    private static final TypeReference<PageEnvelope<DatasetView>> PAGE = new TypeReference<>() {
    };

    /** The length of <code>]}</code>. */
    private static final int END_OF_RESULTS = 2;

    private final ObjectWriter pages;
    private final ObjectWriter texts;

    ListingJson(ObjectMapper mapper) {
        pages = mapper.writerFor(PAGE);
        texts = mapper.writerFor(DatasetView.class);
    }

    byte[] page(PageEnvelope<DatasetView> page) {
        try {
            return pages.writeValueAsBytes(page);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same bytes as {@link #page(PageEnvelope)} of all fields, from cache entries. */
    byte[] page(PageLinks links, long count, List<DatasetJsonCache.Entry> texts, ThumbnailLinks.Signer signer) {
        byte[] empty = page(PageEnvelope.of(links, count, List.of()));
        int length = empty.length + Math.max(0, texts.size() - 1);
        for (DatasetJsonCache.Entry text : texts) {
            length += text.length(signer);
        }
        ByteBuffer out = ByteBuffer.allocate(length).put(empty, 0, empty.length - END_OF_RESULTS);
        for (int i = 0; i < texts.size(); i++) {
            if (i > 0) {
                out.put((byte) ',');
            }
            texts.get(i).write(out, signer);
        }
        return out.put(empty, empty.length - END_OF_RESULTS, END_OF_RESULTS).array();
    }

    /**
     * One JSON text for each dataset.
     *
     * @param separator
     *            between two texts
     */
    public byte[] texts(List<DatasetView> datasets, String separator) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (SequenceWriter lines = texts.withRootValueSeparator(separator).writeValues(bytes)) {
            lines.writeAll(datasets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
