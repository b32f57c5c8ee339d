package io.datasetlisting.access.account;

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
    /** A deleted dataset and its thumbnail are gone for ever. */
    ERASE_DATASET("dataset.erase"),
    /** A dataset has another picture, or the service has read what a raster says of itself. */
    STORE_THUMBNAIL("dataset.thumbnail"), READ_RASTER("dataset.raster"),
    /** Datasets have been imported. A workspace has another name, description or licence. */
    IMPORT_DATASETS("dataset.import"), DESCRIBE_WORKSPACE("workspace.change"),
    /** Accounts have been created, by an admin or for the owners of an import. */
    CREATE_ACCOUNT("account.create"),
    /** An account has another name. */
    RENAME_ACCOUNT("account.rename"),
    /** An account may not be used any more, or again. */
    DISABLE_ACCOUNT("account.disable"), ENABLE_ACCOUNT("account.enable"),
    /** All datasets of the first account belong to the second one. */
    HAND_OVER_DATASETS("account.handover"),
    /** The personal data of an account are gone. */
    ERASE_ACCOUNT("account.erase"),
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
