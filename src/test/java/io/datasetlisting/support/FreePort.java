package io.datasetlisting.support;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports for servers that tests start. */
public final class FreePort {

    /** Systems take the ports of clients from larger numbers, so that no client takes the port before the server does. */
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    private FreePort() {
    }

    public static int find() {
        int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
        return isFree(port) ? port : find();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
