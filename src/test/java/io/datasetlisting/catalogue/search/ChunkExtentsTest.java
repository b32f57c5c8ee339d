package io.datasetlisting.catalogue.search;

import io.datasetlisting.support.LowLimits;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same without memory for columns: the extents are those of all chunks. */
@QuarkusTest
@TestProfile(LowLimits.class)
class ChunkExtentsTest extends ExtentsTest {
}
