package io.datasetlisting.catalogue.tile;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;

/**
 * Writes a Mapbox Vector Tile of rectangles and points. A library would bring protobuf and its reflection into the package for
 * two shapes.
 *
 * @see <a href="https://github.com/mapbox/vector-tile-spec/tree/master/2.1">Vector Tile Specification 2.1</a>
 */
final class VectorTile {

    /** Units across a tile. */
    static final int EXTENT = 4096;

    private static final int VERSION = 2;
    private static final int POINT = 1;
    private static final int POLYGON = 3;
    private static final int MOVE_TO = 1 | 1 << 3;
    private static final int LINE_TO_THREE = 2 | 3 << 3;
    private static final int CLOSE = 7 | 1 << 3;

    private final Message tile = new Message();

    /** Adds a layer if it has features. */
    VectorTile add(Layer layer) {
        if (!layer.isEmpty) {
            tile.message(3, layer.message());
        }
        return this;
    }

    byte[] bytes() {
        return tile.copy();
    }

    /** A layer. The coordinates of its features are units of the tile, from its north-western corner. */
    static final class Layer {

        private final Message features = new Message();
        private final String name;
        private final Map<String, Integer> keys = new LinkedHashMap<>();
        private final Map<Object, Integer> values = new LinkedHashMap<>();
        private boolean isEmpty = true;

        Layer(String name) {
            this.name = name;
        }

        /**
         * Adds a rectangle, or a point if the rectangle has neither width nor height.
         *
         * @param id
         *            negative for none
         * @param attributes
         *            texts and not negative numbers
         */
        void add(long id, int west, int north, int east, int south, Map<String, Object> attributes) {
            Message tags = new Message();
            attributes.forEach((key, value) -> {
                tags.number(index(keys, key));
                tags.number(index(values, value));
            });
            boolean isPoint = west == east && north == south;
            Message geometry = new Message();
            geometry.number(MOVE_TO);
            geometry.signed(west);
            geometry.signed(north);
            if (!isPoint) {
                // Clockwise on the screen, as the outer ring of a polygon.
                geometry.number(LINE_TO_THREE);
                geometry.signed(east - west);
                geometry.signed(0);
                geometry.signed(0);
                geometry.signed(south - north);
                geometry.signed(west - east);
                geometry.signed(0);
                geometry.number(CLOSE);
            }
            Message feature = new Message();
            if (id >= 0) {
                feature.number(1, id);
            }
            feature.message(2, tags);
            feature.number(3, isPoint ? POINT : POLYGON);
            feature.message(4, geometry);
            features.message(2, feature);
            isEmpty = false;
        }

        private static <T> int index(Map<T, Integer> known, T value) {
            return known.computeIfAbsent(value, absent -> known.size());
        }

        private Message message() {
            Message layer = new Message();
            layer.number(15, VERSION);
            layer.text(1, name);
            layer.append(features);
            keys.keySet().forEach(key -> layer.text(3, key));
            values.keySet().forEach(value -> layer.message(4, value(value)));
            layer.number(5, EXTENT);
            return layer;
        }

        private static Message value(Object value) {
            Message message = new Message();
            if (value instanceof String text) {
                message.text(1, text);
            } else {
                message.number(5, ((Number) value).longValue());
            }
            return message;
        }
    }

    /** A message of protobuf. */
    private static final class Message {

        private static final int VARINT = 0;
        private static final int LENGTH = 2;

        private final ByteArrayBuilder bytes = new ByteArrayBuilder(64);

        /** A number without a field, as in a packed list. */
        void number(long value) {
            long rest = value;
            while ((rest & ~0x7FL) != 0) {
                bytes.append((int) (rest & 0x7F | 0x80));
                rest >>>= 7;
            }
            bytes.append((int) rest);
        }

        void signed(int value) {
            number(value << 1 ^ value >> 31);
        }

        void number(int field, long value) {
            number(field << 3 | VARINT);
            number(value);
        }

        void text(int field, String text) {
            bytes(field, text.getBytes(StandardCharsets.UTF_8));
        }

        void message(int field, Message message) {
            bytes(field, message.copy());
        }

        /** Adds the fields of another message. */
        void append(Message other) {
            bytes.write(other.copy());
        }

        byte[] copy() {
            return bytes.toByteArray();
        }

        private void bytes(int field, byte[] content) {
            number(field << 3 | LENGTH);
            number(content.length);
            bytes.write(content);
        }
    }
}
