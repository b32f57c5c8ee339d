package io.datasetlisting.account;

/** What a write has done, as the audit names it. */
public enum AuditAction {
    /** A dataset has been created, not by an import. */
    CREATE_DATASET("dataset.create"),
    /** Fields of a dataset have been written. */
    CHANGE_DATASET("dataset.change"),
    /** A dataset is hidden from all callers. */
    DELETE_DATASET("dataset.delete"),
    /** A deleted dataset is shown again. */
    RESTORE_DATASET("dataset.restore"),
    /** A dataset has another picture. */
    STORE_THUMBNAIL("dataset.thumbnail"),
    /** Datasets have been imported. */
    IMPORT_DATASETS("dataset.import"),
    /** Accounts have been created, by an admin or for the owners of an import. */
    CREATE_ACCOUNT("account.create"),
    /** A subject of the provider of identities acts for an account. */
    LINK_IDENTITY("identity.link"), BLOCK_IDENTITY("identity.block"),
    /** A token has been made. */
    CREATE_TOKEN("token.create"),
    /** A token is not valid any more. */
    REVOKE_TOKEN("token.revoke");

    private final String text;

    AuditAction(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
