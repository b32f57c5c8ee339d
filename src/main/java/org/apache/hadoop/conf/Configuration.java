package org.apache.hadoop.conf;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;

/**
 * Takes the place of the configuration of Hadoop, which parquet-java names and never fills here. The class of parquet-floor has
 * only the methods that are called; a native executable is linked with all methods that could be. Therefore
 * {@code quarkus.class-loading.removed-resources} leaves that class out.
 *
 * @see <a href="../../../../../../../docs/adr/0040-geoparquet.md">ADR 40</a>
 */
public class Configuration {

    public Configuration() {
        this(false);
    }

    /**
     * @param loadDefaults
     *            is ignored: there are no defaults
     */
    public Configuration(boolean loadDefaults) {
        // Nothing is configured.
    }

    public Configuration(Configuration other) {
        this(false);
    }

    public String get(String name) {
        return null;
    }

    public boolean getBoolean(String name, boolean defaultValue) {
        return defaultValue;
    }

    public int getInt(String name, int defaultValue) {
        return defaultValue;
    }

    public Class<?> getClassByName(String name) throws ClassNotFoundException {
        throw new ClassNotFoundException(name);
    }

    public ClassLoader getClassLoader() {
        return Configuration.class.getClassLoader();
    }

    public Iterator<Map.Entry<String, String>> iterator() {
        return Collections.emptyIterator();
    }

    public void set(String name, String value) {
        // Nothing is configured.
    }

    public void setBoolean(String name, boolean value) {
        // Nothing is configured.
    }

    public void setInt(String name, int value) {
        // Nothing is configured.
    }

    public <T extends Enum<T>> void setEnum(String name, T value) {
        // Nothing is configured.
    }
}
