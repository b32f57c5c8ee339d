package io.datasetlisting.postgres.database;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.ErrorLog;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Promise;
import io.quarkus.test.junit.QuarkusTest;

/** Tests that a connection that ends after its event loop leaves no stack trace in the log. */
@QuarkusTest
class ShutdownLogTest {

    @Test
    void aPromiseThatCompletesAfterItsEventLoopLeavesNoStackTrace() throws InterruptedException {
        DefaultEventExecutor loop = new DefaultEventExecutor();
        Promise<Void> closed = loop.newPromise();
        closed.addListener(future -> {
        });
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        try (ErrorLog log = ErrorLog.open()) {
            closed.setSuccess(null);
            log.assertEmpty();
        }
    }
}
