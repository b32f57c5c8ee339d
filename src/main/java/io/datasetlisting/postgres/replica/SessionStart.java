package io.datasetlisting.postgres.replica;

import io.netty.buffer.ByteBuf;

/**
 * Reads at the start of a session of PostgreSQL whether the server is a standby. PostgreSQL 14 and newer report
 * {@code in_hot_standby} there. The value is valid for as long as the session lives, except that a standby may be promoted: a
 * primary ends its sessions before it becomes a standby.
 */
final class SessionStart {

    private static final String STANDBY = "in_hot_standby\0on\0";

    /** Type and length, which counts itself. */
    private static final int HEADER = 5;
    private static final char PARAMETER = 'S';
    private static final char READY = 'Z';
    private static final char ERROR = 'E';
    /** One byte each: the answers to the driver's request for TLS, which are no messages. */
    private static final String TLS_ANSWERS = "SN";

    private final StringBuilder parameter = new StringBuilder();
    private boolean begun;
    private char type;
    private int length;
    /** In the message. */
    private int position;
    private boolean ended;
    private boolean standby;

    /** Reads the next bytes of the server, and leaves them in the buffer. */
    void read(ByteBuf bytes) {
        bytes.forEachByte(next -> {
            read(next);
            return !ended;
        });
    }

    /** Whether the session is open, or will never be. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether the server has said that it is a standby. */
    boolean isStandby() {
        return standby;
    }

    private void read(byte next) {
        boolean first = !begun;
        begun = true;
        if (first && TLS_ANSWERS.indexOf(next) >= 0) {
            return;
        }
        if (position == 0) {
            type = (char) next;
            length = 0;
        } else if (position < HEADER) {
            length = length << Byte.SIZE | next & 0xff;
        } else if (type == PARAMETER && parameter.length() <= STANDBY.length()) {
            parameter.append((char) next);
        }
        position++;
        if (position > length && position >= HEADER) {
            endMessage();
        }
    }

    private void endMessage() {
        standby |= parameter.toString().equals(STANDBY);
        ended = standby || type == READY || type == ERROR;
        parameter.setLength(0);
        position = 0;
    }
}
