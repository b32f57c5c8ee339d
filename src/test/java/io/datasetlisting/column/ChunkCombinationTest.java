package io.datasetlisting.column;

import io.datasetlisting.support.NoMemoryForColumns;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same combinations, without memory for columns: the counters receive each snapshot part by part. */
@QuarkusTest
@TestProfile(NoMemoryForColumns.class)
class ChunkCombinationTest extends CombinationTest {

    @Override
    boolean hasColumns() {
        return false;
    }
}
