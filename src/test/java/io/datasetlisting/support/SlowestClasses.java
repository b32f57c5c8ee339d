package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes the seconds of each test class to {@code target/test-times}, in one file for each JVM. They include the start of the
 * application for this class.
 */
public final class SlowestClasses implements TestExecutionListener {

    private static final Path FOLDER = Path.of("target", "test-times");

    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final Map<String, Long> nanos = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        className(test).ifPresent(name -> started.put(name, System.nanoTime()));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        className(test).ifPresent(name -> nanos.merge(name, System.nanoTime() - started.get(name), Long::sum));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (nanos.isEmpty()) {
            return;
        }
        List<String> lines = nanos.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(entry -> entry.getValue() / 1_000_000_000 + "\t" + entry.getKey()).toList();
        try {
            Files.createDirectories(FOLDER);
            Files.write(FOLDER.resolve(ProcessHandle.current().pid() + ".tsv"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> className(TestIdentifier test) {
        return test.getSource().filter(ClassSource.class::isInstance).map(ClassSource.class::cast)
                .map(ClassSource::getClassName).filter(name -> !name.endsWith("Suite"));
    }
}
