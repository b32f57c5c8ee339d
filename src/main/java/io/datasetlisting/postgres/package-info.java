/**
 * The way to the database: connections, statements as values, migrations, replicas. It may use {@code base} only. Rooms, highest
 * first: replica, database.
 */
package io.datasetlisting.postgres;
