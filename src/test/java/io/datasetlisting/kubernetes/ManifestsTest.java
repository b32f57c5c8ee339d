package io.datasetlisting.kubernetes;

import static io.datasetlisting.kubernetes.Kustomization.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.datasetlisting.base.SpoolConfig;
import io.datasetlisting.postgres.database.DatabaseConfig;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.support.Requirement;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.WithDefault;

/** Checks the manifests in {@code src/main/kubernetes} without a cluster. */
class ManifestsTest {

    private static final Path ROOT = Path.of("src/main/kubernetes");

    /** Versions of operators' objects without a published schema for Java. */
    private static final Set<String> WITHOUT_SCHEMA = Set.of("postgresql.cnpg.io/v1", "barmancloud.cnpg.io/v1");

    private static final Map<String, String> KINDS = Map.ofEntries(Map.entry("ConfigMap", "v1"),
            Map.entry("Service", "v1"), Map.entry("ServiceAccount", "v1"), Map.entry("Deployment", "apps/v1"),
            Map.entry("Job", "batch/v1"), Map.entry("HorizontalPodAutoscaler", "autoscaling/v2"),
            Map.entry("PodDisruptionBudget", "policy/v1"), Map.entry("NetworkPolicy", "networking.k8s.io/v1"),
            Map.entry("Ingress", "networking.k8s.io/v1"), Map.entry("ServiceMonitor", "monitoring.coreos.com/v1"),
            Map.entry("PodMonitor", "monitoring.coreos.com/v1"),
            Map.entry("PrometheusRule", "monitoring.coreos.com/v1"),
            Map.entry("HTTPRoute", "gateway.networking.k8s.io/v1"));

    /** Without the adapter, Gson would use reflection on a class of the JDK. No manifest contains a time. */
    private static final Gson GSON = new GsonBuilder()
            .registerTypeAdapter(OffsetDateTime.class, new Gson().getAdapter(String.class)).create();

    /** The models of the Gateway API keep unknown fields, which this mapper refuses. */
    private static final ObjectMapper STRICT = JsonMapper.builder().disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .annotationIntrospector(new JacksonAnnotationIntrospector() {

                private static final long serialVersionUID = 1L;

                @Override
                public Boolean hasAnySetter(Annotated method) {
                    return false;
                }
            }).build();

    static List<Kustomization> allKustomizations() throws IOException {
        List<Kustomization> all = new ArrayList<>();
        for (Path file : files("kustomization.yaml")) {
            all.add(Kustomization.build(file.getParent()));
        }
        return all;
    }

    /** The kustomizations with a service. */
    static List<Kustomization> services() throws IOException {
        return allKustomizations().stream().filter(built -> !built.all("Deployment").isEmpty()).toList();
    }

    private static List<Path> files(String end) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile).filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private static List<MatchResult> find(String regex, Path file) throws IOException {
        return Pattern.compile(regex, Pattern.MULTILINE).matcher(Files.readString(file)).results().toList();
    }

    @Test
    void everyFileIsUsed() throws IOException {
        Set<Path> used = allKustomizations().stream().flatMap(built -> built.files().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        used.add(ROOT.resolve("README.md"));
        assertEquals(files(""), List.copyOf(used));
    }

    @ParameterizedTest
    @MethodSource("allKustomizations")
    void everyObjectFitsItsSchema(Kustomization built) throws ReflectiveOperationException, IOException {
        for (ObjectNode object : built.objects()) {
            String version = object.get("apiVersion").textValue();
            if (!WITHOUT_SCHEMA.contains(version)) {
                assertEquals(KINDS.get(object.get("kind").textValue()), version, name(object));
                checkSchema(object, version);
            }
        }
    }

    private static void checkSchema(ObjectNode object, String version)
            throws ReflectiveOperationException, IOException {
        if (version.startsWith("gateway.")) {
            STRICT.treeToValue(object, HTTPRoute.class);
            return;
        }
        boolean ofPrometheus = version.startsWith("monitoring.");
        Class<?> model = Class.forName(
                (ofPrometheus ? "com.coreos.monitoring.models." : "io.kubernetes.client.openapi.models.")
                        + version.replaceFirst(".*/", "").replaceFirst("v", "V") + object.get("kind").textValue());
        JsonElement json = JsonParser.parseString(object.toString());
        try {
            // The models of the Prometheus Operator lack this method, so that missing fields are not detected.
            if (!ofPrometheus) {
                model.getMethod("validateJsonElement", JsonElement.class).invoke(null, json);
            }
        } catch (InvocationTargetException e) {
            throw new AssertionError(name(object) + ": " + e.getCause().getMessage(), e.getCause());
        }
        // The method accepts a number in place of a text. The comparison with what the model writes detects this,
        // and unknown fields.
        assertEquals(withoutEmpty(json), withoutEmpty(GSON.toJsonTree(GSON.fromJson(json, model))), name(object));
    }

    /** Removes empty values, because models write empty lists that the manifest does not have. */
    private static JsonElement withoutEmpty(JsonElement json) {
        if (json.isJsonArray()) {
            json.getAsJsonArray().forEach(ManifestsTest::withoutEmpty);
        } else if (json.isJsonObject()) {
            JsonObject object = json.getAsJsonObject();
            object.entrySet().removeIf(entry -> {
                JsonElement value = withoutEmpty(entry.getValue());
                return value.isJsonArray() && value.getAsJsonArray().isEmpty()
                        || value.isJsonObject() && value.getAsJsonObject().isEmpty();
            });
        }
        return json;
    }

    @Test
    void noTextIsABooleanForOtherParsers() throws IOException {
        for (Path file : files(".yaml")) {
            assertEquals(List.of(), find("^[^#]*:\\s+(?i:y|n|yes|no|on|off)\\s*$", file).stream()
                    .map(MatchResult::group).toList(), file.toString());
        }
    }

    @Test
    void secretsAreOnlyReferencesToTheSecretsInTheReadme() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (MatchResult row : find("^\\| `(dataset[a-z-]+)` \\| (`[^|]+`) \\|", ROOT.resolve("README.md"))) {
            Stream.of(row.group(2).split(", ")).forEach(key -> listed.add(row.group(1) + ' ' + key.replace("`", "")));
        }
        Set<String> asked = new TreeSet<>();
        for (Kustomization built : allKustomizations()) {
            assertEquals(List.of(), built.all("Secret"));
            for (ObjectNode object : built.objects()) {
                Stream.of("secretKeyRef", "accessKeyId", "secretAccessKey").map(object::findValues)
                        .flatMap(List::stream)
                        .forEach(secret -> asked.add(secret.get("name").textValue() + ' '
                                + secret.get("key").textValue()));
                // Secrets whose keys are files.
                object.findValues("secret").forEach(secret -> secret.get("items").forEach(item -> asked.add(
                        secret.get("name").textValue() + ' ' + item.get("key").textValue())));
                object.findValues("passwordSecret").forEach(secret -> asked.addAll(Set.of(
                        secret.get("name").textValue() + " username", secret.get("name").textValue() + " password")));
                object.findValuesAsText("secretName").forEach(name -> asked.addAll(
                        Set.of(name + " tls.crt", name + " tls.key")));
            }
        }
        assertEquals(listed, asked);
    }

    @ParameterizedTest
    @MethodSource("allKustomizations")
    void noValueLooksLikeASecret(Kustomization built) {
        Map<String, String> variables = new TreeMap<>(literals(built));
        variables.forEach((name, value) -> {
            assertFalse(name.matches(".*(PASSWORD(?!_FILE)|SECRET|TOKEN|ACCESS_KEY|USERNAME).*"), name);
            assertFalse(value.matches(".*//[^/]*@.*"), name);
        });
        String all = built.objects().toString();
        assertFalse(Pattern.compile("[A-Za-z0-9+/_=]{33,}").matcher(all.replaceAll("postgresql://|https://", " "))
                .results().anyMatch(text -> text.group().matches(".*[0-9].*")), all);
    }

    /** Variables with a literal value in the manifests. */
    private static Map<String, String> literals(Kustomization built) {
        Map<String, String> all = new TreeMap<>();
        // Another ConfigMap has the dashboard.
        built.all("ConfigMap").stream().filter(config -> component(config).equals("configuration"))
                .forEach(config -> config.get("data").properties()
                        .forEach(entry -> all.put(entry.getKey(), entry.getValue().textValue())));
        built.containers().forEach(container -> container.path("env").forEach(variable -> {
            if (variable.has("value")) {
                all.put(variable.get("name").textValue(), variable.get("value").textValue());
            }
        }));
        return all;
    }

    @ParameterizedTest
    @MethodSource("services")
    void everyVariableIsAKeyOfTheService(Kustomization built) throws IOException {
        Set<String> known = find("^\\| `((?:dataset|quarkus)\\.[a-z.-]+)` \\|", Path.of("docs/configuration.md"))
                .stream()
                .map(key -> key.group(1).toUpperCase().replaceAll("[.-]", "_")).collect(Collectors.toSet());
        Set<String> asked = new TreeSet<>(literals(built).keySet());
        built.containers().forEach(container -> container.path("env")
                .forEach(variable -> asked.add(variable.get("name").textValue())));
        asked.remove("JDK_JAVA_OPTIONS");
        asked.removeAll(known);
        assertEquals(Set.of(), asked);
    }

    @ParameterizedTest
    @MethodSource("services")
    void referencedObjectsExist(Kustomization built) {
        ObjectNode config = built.all("ConfigMap").get(0);
        for (JsonNode pod : built.pods()) {
            pod.findValues("configMapRef").forEach(from -> assertEquals(name(config), from.get("name").textValue()));
            pod.findValues("configMapKeyRef").forEach(from -> {
                assertEquals(name(config), from.get("name").textValue());
                assertTrue(config.get("data").has(from.get("key").textValue()), from.toString());
            });
            assertEquals(name(built.one("ServiceAccount")), pod.at("/spec/serviceAccountName").textValue());
        }
        ObjectNode deployment = built.one("Deployment");
        JsonNode scaled = built.one("HorizontalPodAutoscaler").at("/spec/scaleTargetRef");
        assertEquals(deployment.get("apiVersion"), scaled.get("apiVersion"));
        assertEquals(deployment.get("kind"), scaled.get("kind"));
        assertEquals(name(deployment), scaled.get("name").textValue());
        assertFalse(deployment.get("spec").has("replicas"));
        for (ObjectNode ingress : built.all("Ingress")) {
            assertTrue(literals(built).get("DATASET_PUBLIC_BASE_URL")
                    .endsWith("//" + ingress.at("/spec/rules/0/host").textValue()));
            assertEquals(ingress.at("/spec/rules/0/host"), ingress.at("/spec/tls/0/hosts/0"));
            ingress.findValues("backend").forEach(to -> assertEquals(name(built.one("Service")),
                    to.at("/service/name").textValue()));
        }
        for (ObjectNode route : built.all("HTTPRoute")) {
            assertTrue(literals(built).get("DATASET_PUBLIC_BASE_URL")
                    .endsWith("//" + route.at("/spec/hostnames/0").textValue()));
            JsonNode to = route.at("/spec/rules/0/backendRefs/0");
            assertEquals(name(built.one("Service")), to.get("name").textValue());
            assertEquals(built.one("Service").at("/spec/ports/0/port"), to.get("port"));
        }
    }

    @ParameterizedTest
    @MethodSource("services")
    void anIngressOrRouteHasAllPublicPathsAndNoOthers(Kustomization built) throws IOException {
        List<String> paths = new ArrayList<>(List.of("/q/openapi", "/robots.txt", "/sitemap.xml", "/sitemap-1.xml",
                "/assets/map.js", "/datasets/grid/", "/datasets/suggest/"));
        new YAMLMapper().readTree(ManifestsTest.class.getResourceAsStream("/openapi/complete.yaml")).get("paths")
                .fieldNames()
                .forEachRemaining(path -> paths.add(path.replaceAll("\\{[a-z]+}", "1")));
        List<JsonNode> allRules = new ArrayList<>();
        built.all("Ingress").forEach(ingress -> allRules.add(ingress.at("/spec/rules/0/http/paths")));
        built.all("HTTPRoute").forEach(route -> allRules.add(route.at("/spec/rules/0/matches")));
        for (JsonNode rules : allRules) {
            assertEquals(List.of(), paths.stream().filter(path -> !isRouted(rules, path)).toList());
            assertFalse(isRouted(rules, "/q/metrics") || isRouted(rules, "/q/health/ready"));
        }
    }

    private static boolean isRouted(JsonNode rules, String path) {
        for (JsonNode rule : rules) {
            String prefix = rule.at(rule.has("pathType") ? "/path" : "/path/value").textValue();
            boolean isRouted = switch (rule.at(rule.has("pathType") ? "/pathType" : "/path/type").textValue()) {
                case "Exact" -> path.equals(prefix);
                case "Prefix", "PathPrefix" -> (path + '/').startsWith(prefix + '/');
                case "RegularExpression" -> path.matches(prefix);
                // Of Traefik and NGINX.
                default -> path.startsWith(prefix);
            };
            if (isRouted) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("services")
    void selectorsPickTheRightPods(Kustomization built) {
        JsonNode service = built.one("Deployment").at("/spec/template/metadata/labels");
        JsonNode migration = built.one("Job").at("/spec/template/metadata/labels");
        List<JsonNode> forTheServiceAlone = new ArrayList<>(List.of(built.one("Service").at("/spec/selector"),
                built.one("PodDisruptionBudget").at("/spec/selector/matchLabels"),
                built.one("Deployment").at("/spec/selector/matchLabels")));
        built.one("Deployment").at("/spec/template/spec/topologySpreadConstraints")
                .forEach(spread -> forTheServiceAlone.add(spread.at("/labelSelector/matchLabels")));
        for (JsonNode selector : forTheServiceAlone) {
            assertTrue(picks(selector, service), selector.toString());
            assertFalse(picks(selector, migration), selector.toString());
        }
        JsonNode policy = built.one("NetworkPolicy").at("/spec/podSelector/matchLabels");
        assertTrue(picks(policy, service) && picks(policy, migration), policy.toString());
        built.all("ServiceMonitor").stream().map(monitor -> monitor.at("/spec/selector/matchLabels"))
                .forEach(monitored -> assertTrue(picks(monitored, built.one("Service").at("/metadata/labels")),
                        monitored.toString()));
        // README.md applies these objects before the others.
        for (String kind : List.of("ConfigMap", "ServiceAccount", "NetworkPolicy")) {
            assertEquals("configuration", component(built.all(kind).get(0)), kind);
        }
        assertEquals("migration", component(built.one("Job")));
    }

    @ParameterizedTest
    @MethodSource("services")
    void onlyTheMigrationHasTheRoleOfTheOwner(Kustomization built) {
        List<JsonNode> owner = built.one("Job").findValues("secretKeyRef");
        assertFalse(owner.isEmpty());
        ObjectNode deployment = built.one("Deployment");
        List<String> others = Stream.of("secretKeyRef", "secret").map(deployment::findValues).flatMap(List::stream)
                .map(secret -> secret.get("name").textValue()).toList();
        owner.forEach(secret -> assertFalse(others.contains(secret.get("name").textValue()), secret.toString()));
    }

    private static boolean picks(JsonNode selector, JsonNode labels) {
        return !selector.isEmpty() && selector.properties().stream()
                .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
    }

    private static String component(JsonNode object) {
        return object.get("metadata").get("labels").get("app.kubernetes.io/component").textValue();
    }

    @ParameterizedTest
    @MethodSource("services")
    void portsAndPathsMatchTheService(Kustomization built) {
        JsonNode container = built.one("Deployment").at("/spec/template/spec/containers/0");
        assertEquals(8080, container.at("/ports/0/containerPort").intValue());
        JsonNode port = container.at("/ports/0/name");
        Map.of("startupProbe", "started", "livenessProbe", "live", "readinessProbe", "ready").forEach((probe, path) -> {
            assertEquals("/q/health/" + path, container.at('/' + probe + "/httpGet/path").textValue());
            assertEquals(port, container.at('/' + probe + "/httpGet/port"));
        });
        assertEquals(port, built.one("Service").at("/spec/ports/0/targetPort"));
        assertEquals(port, built.one("NetworkPolicy").at("/spec/ingress/0/ports/0/port"));
        JsonNode name = built.one("Service").at("/spec/ports/0/name");
        for (ObjectNode monitor : built.all("ServiceMonitor")) {
            assertEquals(name, monitor.at("/spec/endpoints/0/port"));
            assertEquals("/q/metrics", monitor.at("/spec/endpoints/0/path").textValue());
            // Prometheus names the job after the Service.
            assertTrue(built.one("PrometheusRule").toString()
                    .contains("up{job=\\\"" + name(built.one("Service")) + "\\\"} == 0"));
        }
        built.all("Ingress").forEach(ingress -> ingress.findValues("backend")
                .forEach(to -> assertEquals(name, to.at("/service/port/name"))));
    }

    @ParameterizedTest
    @MethodSource("services")
    void temporaryFilesHaveAVolumeWithRoomForAllOfThem(Kustomization built) throws ReflectiveOperationException {
        JsonNode pod = built.one("Deployment").at("/spec/template/spec");
        String folder = literals(built).get("DATASET_BULK_SPOOL");
        String volume = item(pod.at("/containers/0/volumeMounts"), "mountPath", folder).get("name").textValue();
        JsonNode emptyDir = item(pod.get("volumes"), "name", volume).get("emptyDir");
        // A volume in memory would count as memory of the container.
        assertFalse(emptyDir.has("medium"));
        String limit = literals(built).getOrDefault("DATASET_BULK_SPOOL_SIZE",
                SpoolConfig.class.getMethod("spoolSize").getAnnotation(WithDefault.class).value());
        assertTrue(mebibytes(emptyDir.get("sizeLimit").textValue().replaceFirst("i$", "")) > mebibytes(limit));
    }

    private static JsonNode item(JsonNode items, String key, String value) {
        for (JsonNode item : items) {
            if (item.get(key).textValue().equals(value)) {
                return item;
            }
        }
        throw new AssertionError("no " + key + ' ' + value + " in " + items);
    }

    private static long mebibytes(String size) {
        return new MemorySizeConverter().convert(size).asLongValue() >> 20;
    }

    @ParameterizedTest
    @MethodSource("services")
    void podsMeetTheRestrictedStandard(Kustomization built) {
        for (JsonNode pod : built.pods()) {
            assertTrue(pod.at("/spec/securityContext/runAsNonRoot").asBoolean());
            assertEquals("RuntimeDefault", pod.at("/spec/securityContext/seccompProfile/type").textValue());
            assertFalse(pod.at("/spec/automountServiceAccountToken").asBoolean(true));
            assertFalse(pod.at("/spec/enableServiceLinks").asBoolean(true));
        }
        for (JsonNode container : built.containers()) {
            JsonNode security = container.get("securityContext");
            assertFalse(security.path("allowPrivilegeEscalation").asBoolean(true));
            assertTrue(security.path("readOnlyRootFilesystem").asBoolean());
            assertEquals("ALL", security.at("/capabilities/drop/0").textValue());
            assertTrue(container.at("/resources/limits").has("memory"));
            assertTrue(container.get("image").textValue().matches("[^:]+:(?!latest).+"),
                    container.get("image").toString());
        }
    }

    @ParameterizedTest
    @MethodSource("services")
    void theGracePeriodAndTheStartupProbeAreLongEnough(Kustomization built) throws ReflectiveOperationException {
        JsonNode pod = built.one("Deployment").at("/spec/template/spec");
        JsonNode container = pod.at("/containers/0");
        Duration running = Duration.parse("PT" + literals(built).get("QUARKUS_SHUTDOWN_TIMEOUT"));
        assertTrue(container.at("/lifecycle/preStop/sleep/seconds").intValue() + running.toSeconds() < pod
                .get("terminationGracePeriodSeconds").intValue());
        JsonNode startup = container.get("startupProbe");
        Duration startTimeout = Duration.parse(
                DatabaseConfig.class.getMethod("startTimeout").getAnnotation(WithDefault.class).value());
        assertTrue(startup.get("periodSeconds").intValue() * startup.get("failureThreshold").intValue() > startTimeout
                .toSeconds());
    }

    @Test
    void aReleaseAndItsMigrationHaveTheSameNumber() throws IOException {
        Kustomization production = Kustomization.build(ROOT.resolve("overlays/production"));
        String number = name(production.one("Job")).replace("dataset-listing-migration-", "").replace('-', '.');
        for (JsonNode container : production.containers()) {
            assertTrue(container.get("image").textValue().endsWith(":" + number + "-jvm"), number);
        }
    }

    @Test
    void theServiceFindsTheDatabaseOfCloudNativePg() throws IOException, NoSuchMethodException {
        Kustomization database = Kustomization.build(ROOT.resolve("cloudnative-pg"));
        Kustomization service = Kustomization.build(ROOT.resolve("overlays/cloudnative-pg"));
        ObjectNode cluster = database.one("Cluster");
        String path = ":5432/" + cluster.at("/spec/bootstrap/initdb/database").textValue();
        Map<String, String> variables = literals(service);
        assertEquals("postgresql://" + name(cluster) + "-rw" + path
                + "?sslmode=verify-full&sslrootcert=/etc/database/ca.crt",
                variables.get("QUARKUS_DATASOURCE_REACTIVE_URL"));
        assertEquals("postgresql://" + name(cluster) + "-ro" + path, variables.get("DATASET_DATABASE_READ_URL"));
        assertEquals("/etc/database/password", variables.get("DATASET_DATABASE_PASSWORD_FILE"));
        JsonNode role = cluster.at("/spec/managed/roles/0");
        Map.of("Job", name(cluster) + "-app", "Deployment", role.at("/passwordSecret/name").textValue())
                .forEach((kind, secret) -> {
                    JsonNode pod = service.one(kind).at("/spec/template/spec");
                    assertEquals("/etc/database", pod.at("/containers/0/volumeMounts/0/mountPath").textValue());
                    assertTrue(pod.at("/containers/0/volumeMounts/0/subPath").isMissingNode());
                    assertEquals(pod.at("/containers/0/volumeMounts/0/name"), pod.at("/volumes/0/name"));
                    Set<String> files = new TreeSet<>();
                    pod.at("/volumes/0/projected/sources")
                            .forEach(source -> files.add(source.at("/secret/name").textValue()
                                    + ' ' + source.at("/secret/items/0/key").textValue() + ' '
                                    + source.at("/secret/items/0/path").textValue()));
                    assertEquals(Set.of(name(cluster) + "-ca ca.crt ca.crt", secret + " password password"), files);
                    Map<String, String> ofSecrets = new TreeMap<>();
                    pod.at("/containers/0/env").forEach(variable -> ofSecrets.put(variable.get("name").textValue(),
                            variable.at("/valueFrom/secretKeyRef/name").asText()));
                    assertEquals(secret, ofSecrets.get("QUARKUS_DATASOURCE_USERNAME"));
                    assertFalse(ofSecrets.containsKey("QUARKUS_DATASOURCE_PASSWORD"));
                });
        // The grants of the document, with the names of the cluster.
        String grants = Files.readString(Path.of("docs/operations.md")).replaceAll("\\s+", " ")
                .replace(" datasets;", ' ' + role.get("name").textValue() + ';')
                .replace("datasets_owner", cluster.at("/spec/bootstrap/initdb/owner").textValue());
        JsonNode statements = cluster.at("/spec/bootstrap/initdb/postInitApplicationSQL");
        assertEquals("create role " + role.get("name").textValue() + " login", statements.get(0).textValue());
        for (int i = 1; i < statements.size(); i++) {
            assertTrue(grants.contains(statements.get(i).textValue() + ';'), statements.get(i).toString());
        }
        assertTrue(cluster.at("/spec/imageName").textValue().matches(".+/postgresql:18\\.[0-9]+-.+"));
        JsonNode parameters = cluster.at("/spec/postgresql/parameters");
        parameters.forEach(value -> assertTrue(value.isTextual(), value.toString()));
        int pods = service.one("HorizontalPodAutoscaler").at("/spec/maxReplicas").intValue()
                + service.one("Deployment").at("/spec/strategy/rollingUpdate/maxSurge").intValue();
        Properties defaults = new Properties();
        try (InputStream file = Files.newInputStream(Path.of("src/main/resources/application.properties"))) {
            defaults.load(file);
        }
        int each = Integer.parseInt(defaults.getProperty("quarkus.datasource.reactive.max-size"))
                + defaultOf(DatabaseConfig.class, "pageConnections")
                + defaultOf(DatabaseConfig.class, "searchConnections")
                + defaultOf(StreamConnections.class, "maxTransfers") + defaultOf(StreamConnections.class, "maxArrays")
                // The connections that fold ranks and check the health.
                + 3;
        assertTrue(Files.readString(Path.of("docs/scaling.md")).contains("An instance opens up to " + each + ":"),
                each + " connections");
        assertTrue(pods * each + 20 < parameters.get("max_connections").asInt(), pods + " pods");

        assertEquals(name(cluster), database.one("ScheduledBackup").at("/spec/cluster/name").textValue());
        assertEquals(cluster.at("/spec/plugins/0/name"), database.one("ScheduledBackup").at(
                "/spec/pluginConfiguration/name"));
        assertEquals(name(database.one("ObjectStore")), cluster.at("/spec/plugins/0/parameters/barmanObjectName")
                .textValue());
        assertEquals(name(cluster), database.one("PodMonitor").at("/spec/selector/matchLabels").get("cnpg.io/cluster")
                .textValue());
    }

    private static int defaultOf(Class<?> config, String key) throws NoSuchMethodException {
        return Integer.parseInt(config.getMethod(key).getAnnotation(WithDefault.class).value());
    }

    @Test
    void kubectlBuildsTheSameObjects() throws IOException, InterruptedException {
        File kubectl = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> new File(folder, "kubectl")).filter(File::canExecute).findFirst().orElse(null);
        Requirement.requireLocally(kubectl != null && Pattern.compile("\"kustomizeVersion\": *\"v([5-9]|[1-9][0-9])\\.")
                .matcher(run(kubectl, "version", "--client", "--output=json")).find(),
                "kubectl with kustomize 5 or newer");
        for (Kustomization built : allKustomizations()) {
            Map<String, JsonNode> ours = byName(built.objects());
            Map<String, JsonNode> theirs = byName(
                    Kustomization.parse(run(kubectl, "kustomize", built.folder().toString())));
            assertEquals(ours.keySet(), theirs.keySet(), built.toString());
            ours.forEach((name, object) -> assertEquals(object, theirs.get(name), built + ": " + name));
        }
    }

    private static Map<String, JsonNode> byName(List<ObjectNode> objects) {
        Map<String, JsonNode> all = new TreeMap<>();
        objects.forEach(object -> all.put(object.get("kind").textValue() + ' ' + name(object), object));
        return all;
    }

    private static String run(File program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, program.getPath());
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), command.toString());
        return output;
    }

    /** By default the young generation of a native executable grows up to most of the memory. */
    @Test
    void theYoungGenerationOfEachNativeImageIsBoundedAsDocumented() throws IOException {
        String documented = Files.readString(Path.of("docs/operations.md"));
        try (Stream<Path> files = Files.list(Path.of("src/main/docker"))) {
            for (Path file : files.filter(path -> path.toString().contains("native")).toList()) {
                String entry = find("^ENTRYPOINT .*\"(-Xmn\\d+m)\"", file).stream().map(start -> start.group(1))
                        .findFirst().orElse(file + " has no -Xmn");
                assertTrue(documented.contains("The image therefore starts the executable with `" + entry + "`"),
                        entry);
            }
        }
    }

    /** A process that continues after an OutOfMemoryError never answers some requests, but still passes its probes. */
    @ParameterizedTest
    @CsvSource({"src/main/docker/Dockerfile.jvm, ENTRYPOINT [^]]*",
            "src/main/docker/Dockerfile.native-micro, ENTRYPOINT [^]]*",
            "README.md, java .*-jar target/quarkus-app/quarkus-run.jar"})
    void theServiceExitsOnOutOfMemory(String file, String command) throws IOException {
        assertEquals(List.of(true), find("^ *" + command, Path.of(file)).stream()
                .map(start -> start.group().contains("-XX:+ExitOnOutOfMemoryError")).toList());
    }
}
