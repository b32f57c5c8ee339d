package io.datasetlisting.dataset.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

import io.datasetlisting.dataset.parquet.PageCodecs;
import io.datasetlisting.dataset.parquet.ParquetRows;
import io.datasetlisting.dataset.parquet.ParquetValues;

/**
 * Looks for methods, fields and classes that parquet-java names, that parquet-floor does not have, and that a native executable
 * is linked with: these that can be reached from the writer and the reader of a file through the methods of the classes that
 * they can create. The JVM finds such a method when it is called. A class in a package that the JDK keeps for itself is missing,
 * too, unless the configuration exports the package to the compiler.
 */
class ParquetLinkageTest {

    /** All other classes are complete, and call back methods that they declare. */
    private static final List<String> ANALYSED = List.of("org/apache/parquet/", "org/apache/hadoop/", "shaded/parquet/",
            "io/airlift/compress/", "io/datasetlisting/dataset/format/", "io/datasetlisting/dataset/parquet/");

    /** A method, or a call of one. */
    private record Method(String owner, String name, String descriptor) {
    }

    /** A use of a field. */
    private record FieldUse(String owner, String name) {
    }

    private record Found(String parent, List<String> interfaces, Map<Method, Body> methods, Set<String> fields) {

        private Stream<String> parents() {
            return Stream.concat(Stream.ofNullable(parent), interfaces.stream());
        }
    }

    private record Body(boolean isAbstract, boolean isVirtual, List<Method> direct, List<Method> virtual,
            Set<String> created,
            Set<String> named, Set<FieldUse> used) {
    }

    private final Map<String, Found> classes = new HashMap<>();
    private final Map<String, Set<String>> supertypes = new HashMap<>();
    private final Set<String> created = new LinkedHashSet<>();
    private final Map<String, Set<String>> declared = new HashMap<>();
    private final Set<Method> reached = new HashSet<>();
    private final Set<Method> virtualCalls = new LinkedHashSet<>();
    private final Deque<Method> toVisit = new ArrayDeque<>();
    private final Set<String> exported = exportedPackages();
    /** With one of their callers. */
    private final Map<String, Method> missing = new TreeMap<>();

    @Test
    void allThatTheWriterAndTheReaderOfAFileCanReachIsThere() {
        follow();
        assertEquals(Map.of(), missing);
    }

    /** The platform initializes classes while the compiler runs, and each level is logged then: they would keep this for ever. */
    @Test
    void theClassesThatKeepALevelOfTheLogAreInitializedAtRunTime() {
        follow();
        List<String> keeping = reached.stream().filter(method -> method.name.equals("<clinit>"))
                .filter(method -> found(method.owner).methods.get(method).virtual.stream()
                        .anyMatch(call -> call.owner.equals("org/slf4j/Logger") && call.name.endsWith("Enabled")))
                .map(method -> "--initialize-at-run-time=" + method.owner.replace('/', '.')).toList();
        assertFalse(keeping.isEmpty());
        String arguments = properties().getProperty("quarkus.native.additional-build-args");
        assertTrue(List.of(arguments.split(",")).containsAll(keeping), keeping::toString);
    }

    private void follow() {
        Stream.of(GeoParquetFile.class, GeoParquetFile.Layout.class, ParquetValues.class, PageCodecs.class,
                ParquetRows.class,
                DatasetParquet.class)
                .map(Type::getInternalName).forEach(root -> {
                    create(root, null);
                    found(root).methods.keySet().forEach(this::reach);
                });
        while (!toVisit.isEmpty()) {
            visit(toVisit.pop());
        }
        assertTrue(reached.size() > 1_000, () -> reached.size() + " methods");
    }

    /** Otherwise a package has both, and the first one on the class path wins. */
    @Test
    void theClassesOfHadoopThatThisProjectHasAreLeftOutOfParquetFloor() throws IOException {
        String removed = properties()
                .getProperty("quarkus.class-loading.removed-resources.\"blue.strategic.parquet:parquet-floor\"");
        Path classes = Path.of("target", "classes");
        List<String> own;
        try (Stream<Path> files = Files.walk(classes.resolve("org").resolve("apache").resolve("hadoop"))) {
            own = files.map(file -> classes.relativize(file).toString()).filter(file -> file.endsWith(".class"))
                    .map(file -> file.replaceFirst("([$].*)?[.]class$", "")).distinct().toList();
        }
        URL floor = getClass().getClassLoader().getResource("org/apache/hadoop/conf/Configurable.class");
        List<String> replaced = ((JarURLConnection) floor.openConnection()).getJarFile().stream().map(ZipEntry::getName)
                .filter(name -> own.stream().anyMatch(each -> name.matches(each + "([$].*)?[.]class"))).toList();
        assertTrue(replaced.size() > 1, replaced::toString);
        assertEquals(Set.copyOf(replaced), Set.of(removed.split(",")));
    }

    private void visit(Method method) {
        Body body = found(method.owner).methods.get(method);
        body.named.forEach(name -> initialize(name, method));
        body.used.forEach(field -> {
            initialize(field.owner, method);
            if (isAnalysed(field.owner) && found(field.owner) != null && !hasField(field.owner, field.name)) {
                missing.putIfAbsent(field.owner + '.' + field.name, method);
            }
        });
        body.created.forEach(name -> create(name, method));
        body.direct.forEach(call -> {
            Method target = resolve(call, method);
            if (target != null) {
                reach(target);
            }
        });
        body.virtual.forEach(call -> {
            resolve(call, method);
            if (isAnalysed(call.owner) && virtualCalls.add(call)) {
                List.copyOf(created).forEach(each -> dispatch(call, each));
            }
        });
    }

    private void reach(Method method) {
        if (reached.add(method)) {
            toVisit.add(method);
        }
    }

    private static boolean isAnalysed(String name) {
        return ANALYSED.stream().anyMatch(name::startsWith);
    }

    private boolean hasField(String owner, String name) {
        Found found = isAnalysed(owner) ? found(owner) : null;
        return found == null
                ? fields(owner).contains(name)
                : found.fields.contains(name) || found.parents().anyMatch(parent -> hasField(parent, name));
    }

    /** The fields of another class and of its parents. */
    private static Set<String> fields(String name) {
        Set<String> fields = new HashSet<>();
        try {
            for (Class<?> type = Class.forName(name.replace('/', '.')); type != null; type = type.getSuperclass()) {
                Stream.of(type.getDeclaredFields()).forEach(each -> fields.add(each.getName()));
            }
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // An optional library.
        }
        return fields;
    }

    /** The packages of the JDK that the compiler of the native executable exports to these classes. */
    private static Set<String> exportedPackages() {
        return Stream.of(properties().getProperty("quarkus.native.additional-build-args").split(","))
                .filter(argument -> argument.startsWith("-J--add-exports="))
                .map(argument -> argument.replaceFirst(".*/(.*)=ALL-UNNAMED", "$1")).collect(Collectors.toSet());
    }

    private static Properties properties() {
        Properties properties = new Properties();
        try (InputStream file = Files.newInputStream(Path.of("target", "classes", "application.properties"))) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    private boolean isKeptByTheJdk(String name) {
        Class<?> type;
        try {
            type = Class.forName(name.replace('/', '.'), false, getClass().getClassLoader());
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // An optional library.
            return false;
        }
        return type.getModule().isNamed() && !type.getModule().isExported(type.getPackageName())
                && !exported.contains(type.getPackageName());
    }

    private void initialize(String name, Method by) {
        if (!isAnalysed(name)) {
            if (isKeptByTheJdk(name)) {
                missing.putIfAbsent(name, by);
            }
            return;
        }
        Found found = found(name);
        if (found == null) {
            missing.putIfAbsent(name, by);
            return;
        }
        Method initializer = new Method(name, "<clinit>", "()V");
        if (found.methods.containsKey(initializer)) {
            reach(initializer);
        }
    }

    /** Other classes may call the methods of a new object that override theirs. */
    private void create(String name, Method by) {
        if (!isAnalysed(name) || !created.add(name)) {
            return;
        }
        initialize(name, by);
        virtualCalls.forEach(call -> dispatch(call, name));
        for (String each = name; each != null && isAnalysed(each) && found(each) != null; each = found(each).parent) {
            found(each).methods.forEach((method, body) -> {
                if (body.isVirtual && !body.isAbstract && overridesOther(name, method)) {
                    reach(method);
                }
            });
        }
    }

    private boolean overridesOther(String name, Method method) {
        if (isAnalysed(name)) {
            Found found = found(name);
            return found != null && found.parents().anyMatch(parent -> overridesOther(parent, method));
        }
        return declared.computeIfAbsent(name, ParquetLinkageTest::declared).contains(method.name + method.descriptor);
    }

    /** The methods of another class and of its parents. */
    private static Set<String> declared(String name) {
        Set<String> methods = new HashSet<>();
        try {
            for (Class<?> type = Class.forName(name.replace('/', '.')); type != null; type = type.getSuperclass()) {
                Stream.of(type.getDeclaredMethods(), type.getMethods()).flatMap(Arrays::stream)
                        .forEach(each -> methods.add(each.getName() + Type.getMethodDescriptor(each)));
            }
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            // An optional library.
        }
        return methods;
    }

    private void dispatch(Method call, String type) {
        if (isSubtype(type, call.owner)) {
            Method target = find(new Method(type, call.name, call.descriptor));
            if (target != null && !found(target.owner).methods.get(target).isAbstract) {
                reach(target);
            }
        }
    }

    private boolean isSubtype(String name, String other) {
        return supertypes(name).contains(other);
    }

    private Set<String> supertypes(String name) {
        Set<String> known = supertypes.get(name);
        if (known == null) {
            known = new HashSet<>(Set.of(name));
            if (isAnalysed(name) && found(name) != null) {
                found(name).parents().map(this::supertypes).forEach(known::addAll);
            }
            supertypes.put(name, known);
        }
        return known;
    }

    /** The method that a call names; null if it is one of another class, or missing. */
    private Method resolve(Method call, Method by) {
        initialize(call.owner, by);
        if (!isAnalysed(call.owner)) {
            return null;
        }
        Method target = find(call);
        if (target == null && found(call.owner) != null && !overridesOther(call.owner, call)) {
            missing.putIfAbsent(call.owner + '.' + call.name + call.descriptor, by);
        }
        return target;
    }

    private Method find(Method call) {
        Found found = isAnalysed(call.owner) ? found(call.owner) : null;
        if (found == null) {
            return null;
        }
        return found.methods.containsKey(call)
                ? call
                : found.parents().map(parent -> find(new Method(parent, call.name, call.descriptor)))
                        .filter(each -> each != null).findFirst().orElse(null);
    }

    private Found found(String name) {
        return classes.computeIfAbsent(name, ParquetLinkageTest::read);
    }

    private static Found read(String name) {
        try (InputStream file = ParquetLinkageTest.class.getClassLoader().getResourceAsStream(name + ".class")) {
            if (file == null) {
                return null;
            }
            ClassReader reader = new ClassReader(file);
            Map<Method, Body> methods = new HashMap<>();
            Set<String> fields = new HashSet<>();
            reader.accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                        String[] exceptions) {
                    Body body = new Body((access & Opcodes.ACC_ABSTRACT) != 0,
                            (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0 && method.charAt(0) != '<',
                            new ArrayList<>(), new ArrayList<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
                    methods.put(new Method(name, method, descriptor), body);
                    return new Calls(body);
                }

                @Override
                public FieldVisitor visitField(int access, String field, String descriptor, String signature,
                        Object value) {
                    fields.add(field);
                    return null;
                }
            }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return new Found(reader.getSuperName(), List.of(reader.getInterfaces()), methods, fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Collects what a method calls, creates and names. */
    private static final class Calls extends MethodVisitor {

        private final Body body;

        Calls(Body body) {
            super(Opcodes.ASM9);
            this.body = body;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean isVirtual = opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE;
            (isVirtual ? body.virtual : body.direct).add(new Method(owner, name, descriptor));
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            Stream.of(arguments).filter(Handle.class::isInstance).map(Handle.class::cast)
                    .filter(handle -> handle.getTag() > Opcodes.H_PUTSTATIC).forEach(handle -> {
                        if (handle.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
                            body.created.add(handle.getOwner());
                        }
                        boolean isVirtual = handle.getTag() == Opcodes.H_INVOKEVIRTUAL
                                || handle.getTag() == Opcodes.H_INVOKEINTERFACE;
                        (isVirtual ? body.virtual : body.direct)
                                .add(new Method(handle.getOwner(), handle.getName(), handle.getDesc()));
                    });
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            String element = type.startsWith("[") ? Type.getType(type).getElementType().getInternalName() : type;
            (opcode == Opcodes.NEW ? body.created : body.named).add(element);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            body.used.add(new FieldUse(owner, name));
        }
    }
}
