package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import io.vertx.pgclient.PgException;

class DatabaseFailureTest {

    private static PgException failure(String sqlState) {
        return new PgException("message", "FATAL", sqlState, null);
    }

    @Test
    void aDatabaseThatIsBeingReplacedByRenamingIsATemporaryFailure() {
        assertTrue(DatabaseFailure.isTemporary(failure("3D000")));
    }

    @Test
    void aStatementThatIsWrongIsNoTemporaryFailure() {
        assertFalse(DatabaseFailure.isTemporary(failure("42601")));
    }
}
