package io.datasetlisting.site;

import io.quarkus.qute.i18n.Message;
import io.quarkus.qute.i18n.MessageBundle;

/** The words of the pages of tokens and accounts. The files {@code messages/access_*.properties} have them in each language. */
@MessageBundle("access")
interface AccessMessages {

    @Message
    String tokens();

    @Message
    String own_tokens();

    @Message
    String all_tokens();

    @Message
    String tokens_hint();

    @Message
    String accounts();

    @Message
    String accounts_hint();

    @Message
    String sign_in_first();

    @Message
    String only_admins();

    @Message
    String new_token();

    @Message
    String new_account();

    @Message
    String for_account();

    @Message
    String name();

    @Message
    String name_hint();

    @Message
    String username();

    @Message
    String right();

    @Message
    String first_token();

    @Message
    String no_token();

    @Message
    String reader();

    @Message
    String writer();

    @Message
    String admin();

    @Message
    String workspaces();

    @Message
    String workspaces_hint();

    @Message
    String all();

    @Message
    String expires();

    @Message
    String expires_hint();

    @Message
    String no_end();

    @Message
    String last_used();

    @Message
    String never();

    @Message
    String state();

    @Message
    String valid();

    @Message
    String revoked();

    @Message
    String expired();

    @Message
    String account();

    @Message
    String number();

    @Message
    String workspace();

    @Message
    String action();

    @Message
    String create();

    @Message
    String revoke();

    @Message
    String revoke_title();

    @Message
    String revoke_hint();

    @Message
    String revoke_own();

    @Message
    String token_revoked();

    @Message
    String account_created();

    @Message
    String new_key();

    @Message
    String new_key_hint();

    @Message
    String copy_key();

    @Message
    String previous();

    @Message
    String next();

    @Message
    String manage();

    @Message
    String rename();

    @Message
    String hand_over_to();

    @Message
    String hand_over();

    @Message
    String hand_over_hint();

    @Message
    String disable();

    @Message
    String disable_hint();

    @Message
    String enable();

    @Message
    String erase();

    @Message
    String erase_hint();

    @Message
    String is_disabled();

    @Message
    String account_renamed();

    @Message
    String account_disabled();

    @Message
    String account_enabled();

    @Message
    String datasets_handed_over();

    @Message
    String account_erased();
}
