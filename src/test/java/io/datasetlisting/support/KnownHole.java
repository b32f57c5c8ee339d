package io.datasetlisting.support;

import java.util.List;

import org.apache.maven.artifact.versioning.DefaultArtifactVersion;
import org.apache.maven.artifact.versioning.InvalidVersionSpecificationException;
import org.apache.maven.artifact.versioning.VersionRange;

/**
 * A line of {@code config/known-holes.txt}: versions of a library that have a hole.
 *
 * @param library
 *            group and artifact
 */
public record KnownHole(String library, VersionRange versions, String advisory) {

    /**
     * A library of the package.
     *
     * @param name
     *            group and artifact
     */
    public record Library(String name, String version) {
    }

    private static final String LINE = "\\S+:\\S+ +[\\[(]\\S+[\\])] +\\S+ +\\S.*";

    /** The holes of these libraries, one line each. */
    public static List<String> in(List<Library> libraries, List<String> lines) {
        List<KnownHole> holes = lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(KnownHole::parse).toList();
        return libraries.stream().flatMap(library -> holes.stream().filter(hole -> hole.isIn(library))
                .map(hole -> library.name() + ' ' + library.version() + ' ' + hole.advisory())).toList();
    }

    private static KnownHole parse(String line) {
        if (!line.matches(LINE)) {
            throw new IllegalArgumentException("not \"group:artifact versions advisory note\": " + line);
        }
        String[] columns = line.split(" +", 3);
        try {
            VersionRange versions = VersionRange.createFromVersionSpec(columns[1]);
            return new KnownHole(columns[0], versions, columns[2]);
        } catch (InvalidVersionSpecificationException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    private boolean isIn(Library candidate) {
        return library.equals(candidate.name())
                && versions.containsVersion(new DefaultArtifactVersion(candidate.version()));
    }
}
