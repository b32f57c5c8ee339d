package io.datasetlisting.dataset;

import java.util.List;
import java.util.Set;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** What properties of datasets on the wire are for all of. */
public interface AnyDatasets {

    @Provide
    default Arbitrary<Dataset> datasets() {
        return Views.datasets();
    }

    @Provide
    default Arbitrary<List<Dataset>> pages() {
        return Views.datasets().list().ofMaxSize(3);
    }

    @Provide
    default Arbitrary<Set<String>> fields() {
        return Views.fields();
    }

    @Provide
    default Arbitrary<double[]> bboxes() {
        return Views.bboxes();
    }
}
