package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import io.datasetlisting.support.ServiceProcess;

/**
 * Looks for methods that a class of the package calls and that the package does not have, because two libraries do not fit
 * together. The JVM notices such a call when it is executed, and a native executable does not build.
 */
class LinkageIT {

    /**
     * A class of the package or of the JDK.
     *
     * @param methods
     *            names with descriptors
     * @param parents
     *            the names of the superclass and of the interfaces
     */
    private record Type(Set<String> methods, List<String> parents) {
    }

    /**
     * @param method
     *            the name with the descriptor
     */
    private record Call(String owner, String method) {
    }

    /**
     * parquet-floor's classes in place of Hadoop's have only the methods that reading and writing a file call. A test of
     * {@code dataset.format} follows the calls of a file's writer.
     */
    private static final String STAND_INS = "org/apache/hadoop/";

    private final Map<String, Type> types = new HashMap<>();
    private final Set<String> absent = new HashSet<>();
    /** With one of their callers. */
    private final Map<Call, String> calls = new HashMap<>();

    @Test
    void thePackageHasEachMethodThatItsClassesCall() throws IOException {
        try (Stream<Path> files = Files.walk(ServiceProcess.folder())) {
            for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                read(jar);
            }
        }
        assertTrue(types.size() > 10_000, () -> types.size() + " classes");
        Set<String> missing = new TreeSet<>();
        calls.forEach((call, caller) -> {
            if (has(call.owner, call.method) == Boolean.FALSE) {
                missing.add(caller + " calls " + call.owner + '.' + call.method);
            }
        });
        assertEquals("", String.join("\n", missing));
    }

    private void read(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JarEntry entry : jar.stream().filter(each -> each.getName().endsWith(".class")
                    && !each.getName().startsWith("META-INF/") && !each.getName().endsWith("-info.class")).toList()) {
                try (InputStream content = jar.getInputStream(entry)) {
                    read(new ClassReader(content), true);
                }
            }
        }
    }

    private Type read(ClassReader type, boolean withCalls) {
        Set<String> methods = new HashSet<>();
        List<String> parents = new ArrayList<>(List.of(type.getInterfaces()));
        if (type.getSuperName() != null) {
            parents.add(type.getSuperName());
        }
        type.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                    String[] exceptions) {
                methods.add(name + descriptor);
                return !withCalls ? null : new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
                            boolean isInterface) {
                        // Arrays have the methods of Object.
                        if (owner.charAt(0) != '[') {
                            calls.putIfAbsent(new Call(owner, name + descriptor), type.getClassName());
                        }
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        // The build may have changed a class: then a second jar has it, with more methods.
        return types.merge(type.getClassName(), new Type(methods, parents), (first, second) -> {
            first.methods.addAll(second.methods);
            return first;
        });
    }

    /** Null if the method may be in a class that the package does not have whole, as of an optional library. */
    private Boolean has(String owner, String method) {
        if (owner.startsWith(STAND_INS)) {
            return null;
        }
        Type type = types.containsKey(owner) ? types.get(owner) : absent.contains(owner) ? null : ofJdk(owner);
        if (type == null) {
            absent.add(owner);
            return null;
        }
        // The virtual machine provides these methods with the descriptor of each call.
        if (type.methods.contains(method) || owner.equals("java/lang/invoke/MethodHandle")
                || owner.equals("java/lang/invoke/VarHandle")) {
            return true;
        }
        Boolean found = owner.equals("java/lang/Object") ? Boolean.FALSE : has("java/lang/Object", method);
        for (String parent : type.parents) {
            Boolean ofParent = has(parent, method);
            if (ofParent == null || ofParent) {
                found = ofParent;
                break;
            }
        }
        return found;
    }

    private Type ofJdk(String name) {
        try (InputStream content = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
            return content == null ? null : read(new ClassReader(content), false);
        } catch (IOException e) {
            return null;
        }
    }
}
