package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.jboss.logmanager.formatters.PatternFormatter;

/** Records what the service logs at level WARN and above while this object is open. */
public final class ErrorLog extends Handler implements AutoCloseable {

    private static final Formatter MESSAGE = new PatternFormatter("%s");
    private static final Formatter REQUEST_ID = new PatternFormatter("%X{requestId}");

    private record Warning(String source, String requestId, String message) {
    }

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Queue<Warning> warnings = new ConcurrentLinkedQueue<>();

    private ErrorLog() {
    }

    public static ErrorLog open() {
        ErrorLog log = new ErrorLog();
        Logger.getLogger("").addHandler(log);
        return log;
    }

    public void assertEmpty() {
        assertEquals(List.of(), List.copyOf(errors));
    }

    /** The warnings of a class, in their order. */
    public List<String> warnings(Class<?> source) {
        return warnings.stream().filter(warning -> warning.source.equals(source.getName())).map(Warning::message)
                .toList();
    }

    /** The ids of the requests that the warnings of a class name. */
    public List<String> requestsOfWarnings(Class<?> source) {
        return warnings.stream().filter(warning -> warning.source.equals(source.getName())).map(Warning::requestId)
                .toList();
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() == Level.WARNING.intValue()) {
            warnings.add(new Warning(entry.getLoggerName(), REQUEST_ID.format(entry), MESSAGE.format(entry)));
        }
        if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
            errors.add(entry.getLoggerName() + ": " + entry.getMessage() + ' ' + entry.getThrown());
        }
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
    }
}
