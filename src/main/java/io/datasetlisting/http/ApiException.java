package io.datasetlisting.http;

/** An answer other than success, with the sentence that the client reads under {@code detail}. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public ApiException(int status, String detail) {
        // Part of the normal course of a request: nobody reads its stack.
        super(detail, null, false, false);
        this.status = status;
    }

    /** 404 for an address that leads nowhere. */
    public static ApiException notFound() {
        return new ApiException(404, "Not found.");
    }

    public int status() {
        return status;
    }
}
