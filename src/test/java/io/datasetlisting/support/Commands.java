package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The shell commands of the documents: indented blocks whose first line is a command. */
public final class Commands {

    private static final Pattern BLOCK = Pattern.compile("(?<=\n\n)( {4,7}(?! ).*\n( {4,}.*\n|\n(?= {4}))*)");
    private static final Pattern SHELL = Pattern
            .compile("^(\\$ |# |[A-Z_]+=|(curl|docker|java|psql|kubectl|kcadm\\.sh|export|"
                    + "\\./mvnw|bench/|deploy/|target/|npm|npx|ogr\\w+)\\b)");

    private Commands() {
    }

    public static List<Path> documents() {
        return List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("docs/api.md"),
                Path.of("docs/configuration.md"), Path.of("docs/operations.md"), Path.of("docs/scaling.md"),
                Path.of("bench/README.md"), Path.of("clients/README.md"), Path.of("deploy/cluster/README.md"),
                Path.of("src/main/kubernetes/README.md"));
    }

    /** The blocks of a document without their indentation. */
    public static List<String> blocks(Path document) throws IOException {
        return BLOCK.matcher(Files.readString(document)).results()
                .map(block -> block.group().stripTrailing().stripIndent())
                .filter(block -> SHELL.matcher(block).find()).toList();
    }

    /**
     * The commands of a block, without comments and without the output below a command with a prompt.
     *
     * @return nothing if bash cannot read the block
     */
    public static List<String> of(String block, Path folder) throws IOException, InterruptedException {
        boolean hasPrompt = block.contains("$ ") && block.startsWith("$ ");
        List<String> commands = new ArrayList<>();
        String command = "";
        for (String line : block.lines().toList()) {
            if (command.isEmpty() && (hasPrompt ? !line.startsWith("$ ") : line.isBlank())) {
                continue;
            }
            command += (command.isEmpty() && hasPrompt ? line.substring(2) : line) + '\n';
            if (!command.endsWith("\\\n") && isComplete(command, folder)) {
                commands.add(command.strip());
                command = "";
            }
        }
        return command.isEmpty() ? commands : List.of();
    }

    private static boolean isComplete(String command, Path folder) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash", "-n", "-c", command).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return bash.waitFor() == 0;
    }
}
