package io.datasetlisting.faces.stac;

import io.datasetlisting.support.NoMemoryForColumns;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same without memory for columns: PostgreSQL counts each search. */
@QuarkusTest
@TestProfile(NoMemoryForColumns.class)
class ChunkSearchModelTest extends SearchModelTest {
}
