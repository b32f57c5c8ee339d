package io.datasetlisting.account;

/** What a write has done, as the audit names it. */
public enum AuditAction {
    CREATE_DATASET("dataset.create"), CHANGE_DATASET("dataset.change"), DELETE_DATASET(
            "dataset.delete"), STORE_THUMBNAIL("dataset.thumbnail"), IMPORT_DATASETS("dataset.import"), CREATE_ACCOUNT(
                    "account.create"), CREATE_TOKEN("token.create"), REVOKE_TOKEN("token.revoke");

    private final String text;

    AuditAction(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
