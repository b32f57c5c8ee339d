package io.datasetlisting.catalogue.search;

import io.datasetlisting.support.NoMemoryForColumns;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same without memory for columns: the extents are those of all chunks. */
@QuarkusTest
@TestProfile(NoMemoryForColumns.class)
class ChunkExtentsTest extends ExtentsTest {
}
