package io.datasetlisting.write.change;

/** A position from which changes may be missing, so that the client must begin again. */
final class LostPositionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LostPositionException(String reason) {
        super(reason, null, false, false);
    }

    static LostPositionException ofAnotherCatalogue() {
        return new LostPositionException("the catalogue of this position is another one");
    }
}
