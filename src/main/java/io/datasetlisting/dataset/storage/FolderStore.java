package io.datasetlisting.dataset.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;

/** Keeps files in a folder, which no other instance sees. */
public final class FolderStore implements FileStore {

    private static final int CHUNK = 64 << 10;
    /** Behind the name of a file that is not complete. */
    private static final String PART = ".part";

    private final Path folder;
    private final Vertx vertx;

    public FolderStore(Path folder, Vertx vertx) {
        this.folder = folder;
        this.vertx = vertx;
    }

    @Override
    public Output create(String name, String mediaType) throws IOException {
        return new Part(folder.resolve(name + PART), folder.resolve(name));
    }

    private static final class Part implements Output {

        private final Path part;
        private final Path whole;
        private final FileChannel channel;

        Part(Path part, Path whole) throws IOException {
            this.part = part;
            this.whole = whole;
            channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining();) {
                channel.write(rest);
            }
        }

        @Override
        public void complete() throws IOException {
            // A file that has its name is whole, also after a crash of the machine.
            channel.force(true);
            channel.close();
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void close() {
            try {
                channel.close();
                Files.deleteIfExists(part);
            } catch (IOException e) {
                // It is removed with its export.
            }
        }
    }

    @Override
    public Multi<byte[]> read(String name, long from, long length) {
        return Multi.createFrom().resourceFromUni(() -> open(name), file -> pieces(file, from, length))
                .withFinalizer((AsyncFile file) -> UniHelper.toUni(file.close()));
    }

    /** A file that is open when its reader has left is closed at once. */
    private Uni<AsyncFile> open(String name) {
        return Uni.createFrom().emitter(reader -> {
            AtomicBoolean hasLeft = new AtomicBoolean();
            reader.onTermination(() -> hasLeft.set(true));
            vertx.fileSystem().open(folder.resolve(name).toString(), new OpenOptions().setWrite(false).setCreate(false))
                    .onFailure(reader::fail).onSuccess(file -> {
                        if (hasLeft.get()) {
                            file.close();
                        } else {
                            reader.complete(file);
                        }
                    });
        });
    }

    private static Multi<byte[]> pieces(AsyncFile file, long from, long length) {
        return Multi.createFrom().range(0, (int) ((length + CHUNK - 1) / CHUNK))
                .onItem().transformToUniAndConcatenate(number -> {
                    long done = (long) number * CHUNK;
                    int size = (int) Math.min(CHUNK, length - done);
                    return UniHelper.toUni(file.read(Buffer.buffer(size), 0, from + done, size)).map(Buffer::getBytes);
                });
    }

    @Override
    public Uni<Void> remove(List<String> names) {
        return UniHelper.toUni(vertx.executeBlocking(() -> {
            for (String name : names) {
                Files.deleteIfExists(folder.resolve(name));
                Files.deleteIfExists(folder.resolve(name + PART));
            }
            return null;
        }, false));
    }
}
