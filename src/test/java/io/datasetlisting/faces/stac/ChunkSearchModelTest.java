package io.datasetlisting.faces.stac;

import io.datasetlisting.support.LowLimits;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same without memory for columns: PostgreSQL counts each search. */
@QuarkusTest
@TestProfile(LowLimits.class)
class ChunkSearchModelTest extends SearchModelTest {
}
