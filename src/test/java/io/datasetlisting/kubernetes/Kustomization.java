package io.datasetlisting.kubernetes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/**
 * Builds the objects of a folder of manifests. It supports the features of kustomize that the manifests use, and
 * refuses others, so that tests can check the manifests on machines without {@code kubectl}.
 *
 * @param folder
 *            the folder of the file {@code kustomization.yaml}
 * @param objects
 *            the objects for Kubernetes
 * @param files
 *            all files that the objects come from
 */
record Kustomization(Path folder, List<ObjectNode> objects, Set<Path> files) {

    private static final String FILE = "kustomization.yaml";
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    private static final Set<String> KNOWN = Set.of("apiVersion", "kind", "resources", "patches", "images", "labels",
            "nameSuffix", "configMapGenerator");

    static List<ObjectNode> parse(String yaml) throws IOException {
        return YAML.readerFor(ObjectNode.class).<ObjectNode>readValues(yaml).readAll();
    }

    static Kustomization build(Path folder) throws IOException {
        Kustomization built = new Kustomization(folder, new ArrayList<>(), new TreeSet<>());
        ObjectNode file = built.read(FILE).get(0);
        file.fieldNames().forEachRemaining(name -> assertTrue(KNOWN.contains(name), name + " in " + folder));
        for (JsonNode resource : file.path("resources")) {
            built.add(resource.textValue());
        }
        for (JsonNode generator : file.path("configMapGenerator")) {
            built.generate(generator);
        }
        for (JsonNode patch : file.path("patches")) {
            built.patch(built.read(patch.get("path").textValue()).get(0), patch.at("/target/kind").textValue());
        }
        file.path("labels").forEach(built::label);
        file.path("images").forEach(built::tag);
        for (ObjectNode object : built.objects) {
            object.withObject("/metadata").put("name", name(object) + file.path("nameSuffix").asText(""));
        }
        return built;
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").textValue();
    }

    private List<ObjectNode> read(String name) throws IOException {
        Path file = folder.resolve(name).normalize();
        files.add(file);
        return parse(Files.readString(file));
    }

    private void add(String resource) throws IOException {
        Path path = folder.resolve(resource).normalize();
        if (Files.isDirectory(path)) {
            Kustomization other = build(path);
            objects.addAll(other.objects);
            files.addAll(other.files);
        } else {
            objects.addAll(read(resource));
        }
    }

    private void generate(JsonNode generator) throws IOException {
        // A name with the hash of the content is not supported.
        assertTrue(generator.at("/options/disableNameSuffixHash").asBoolean(), generator.toString());
        ObjectNode config = YAML.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        ObjectNode metadata = config.putObject("metadata").put("name", generator.get("name").textValue());
        metadata.set("labels", generator.at("/options/labels").deepCopy());
        for (JsonNode keyAndFile : generator.get("files")) {
            String[] parts = keyAndFile.textValue().split("=");
            Path file = folder.resolve(parts[1]);
            files.add(file);
            config.withObject("/data").put(parts[0], Files.readString(file));
        }
        objects.add(config);
    }

    private void patch(ObjectNode patch, String kind) {
        List<ObjectNode> targets = objects.stream().filter(object -> kind == null
                ? object.get("kind").equals(patch.get("kind")) && name(object).equals(name(patch))
                : object.get("kind").textValue().equals(kind)).toList();
        assertFalse(targets.isEmpty(), "Nothing to patch in " + folder + ": " + patch);
        if (patch.path("$patch").asText().equals("delete")) {
            objects.removeAll(targets);
            return;
        }
        ObjectNode changes = patch.deepCopy().without(List.of("apiVersion", "kind"));
        changes.withObject("/metadata").remove("name");
        targets.forEach(target -> merge(target, changes));
    }

    private static void merge(ObjectNode target, ObjectNode changes) {
        changes.properties().forEach(change -> {
            JsonNode old = target.path(change.getKey());
            if (old.isObject()) {
                merge((ObjectNode) old, (ObjectNode) change.getValue());
            } else if (old.isArray() && change.getValue().path(0).has("name")) {
                merge((ArrayNode) old, (ArrayNode) change.getValue());
            } else {
                target.set(change.getKey(), change.getValue().deepCopy());
            }
        });
    }

    /** Items of the same name are the same item. Changed items are first, as in kustomize. */
    private static void merge(ArrayNode target, ArrayNode changes) {
        List<JsonNode> rest = new ArrayList<>();
        target.forEach(rest::add);
        target.removeAll();
        for (JsonNode change : changes) {
            JsonNode item = rest.stream().filter(old -> old.get("name").equals(change.get("name"))).findFirst()
                    .orElseGet(YAML::createObjectNode);
            rest.remove(item);
            if (!change.path("$patch").asText().equals("delete")) {
                merge((ObjectNode) item, (ObjectNode) change);
                target.add(item);
            }
        }
        target.addAll(rest);
    }

    private void label(JsonNode labels) {
        for (ObjectNode object : objects) {
            object.withObject("/metadata/labels").setAll((ObjectNode) labels.get("pairs"));
            if (labels.path("includeTemplates").asBoolean() && object.at("/spec/template").isObject()) {
                object.withObject("/spec/template/metadata/labels").setAll((ObjectNode) labels.get("pairs"));
            }
        }
    }

    private void tag(JsonNode image) {
        for (JsonNode container : containers()) {
            String[] old = container.get("image").textValue().split(":");
            if (old[0].equals(image.get("name").textValue())) {
                ((ObjectNode) container).put("image",
                        image.path("newName").asText(old[0]) + ':' + image.path("newTag").asText(old[old.length - 1]));
            }
        }
    }

    /** The templates of the pods. */
    List<JsonNode> pods() {
        return objects.stream().map(object -> object.at("/spec/template")).filter(JsonNode::isObject).toList();
    }

    List<JsonNode> containers() {
        List<JsonNode> containers = new ArrayList<>();
        pods().forEach(pod -> pod.at("/spec/containers").forEach(containers::add));
        return containers;
    }

    List<ObjectNode> all(String kind) {
        return objects.stream().filter(object -> object.get("kind").textValue().equals(kind)).toList();
    }

    ObjectNode one(String kind) {
        List<ObjectNode> all = all(kind);
        assertTrue(all.size() == 1, () -> kind + " in " + folder + ": " + all);
        return all.get(0);
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
