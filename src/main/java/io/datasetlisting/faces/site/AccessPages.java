package io.datasetlisting.faces.site;

import java.util.Arrays;
import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Account;
import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.QueryString;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateData;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers the pages of tokens and accounts. They have no data but the account for a new token: their script reads the API,
 * with the token of the reader.
 */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class AccessPages {

    private static final String TYPE = "Account";

    private final PageConfig config;
    private final AccountRepository accounts;

    AccessPages(PageConfig config, AccountRepository accounts) {
        this.config = config;
        this.accounts = accounts;
    }

    /**
     * The tokens of the caller's account, for admins those of all accounts, and a form for a new one.
     *
     * @param refusal
     *            why the caller does not see them; null if it does
     * @param rights
     *            that a new token may have
     * @param account
     *            for which an admin makes the token; null for the own one
     * @param token
     *            id of the token of the caller; null for a caller without one
     */
    @CheckedTemplate(basePath = "")
    record TokensPage(HtmlPages.Layout page, String heading, String refusal, boolean isAdmin, List<Choice> rights,
            Account account, Long token) implements TemplateInstance {
    }

    /** All accounts, and a form for a new one with its first token. */
    @CheckedTemplate(basePath = "")
    record AccountsPage(HtmlPages.Layout page, String heading, String refusal, List<Choice> rights)
            implements
                TemplateInstance {
    }

    /** A choice, as the API and as readers name it. */
    @TemplateData
    record Choice(String value, String label) {
    }

    /** The parameter {@code user} is the id of the account for which an admin makes a token. It has no effect for others. */
    @GET
    @Path(Endpoints.TOKENS_PAGE)
    public Uni<Response> tokens(@Context RoutingContext context) {
        String user = QueryString.parse(context.request().query()).withoutBlank().get("user");
        if (user == null || !Caller.of(context).isAdmin()) {
            return Uni.createFrom().item(() -> answerTokens(context, null));
        }
        return accounts.find(PathId.parse(user, TYPE)).map(account -> {
            if (account == null) {
                throw ApiException.noSuch(TYPE);
            }
            return answerTokens(context, account);
        });
    }

    private Response answerTokens(RoutingContext context, Account account) {
        Language language = Language.of(context);
        Words words = Words.in(language);
        Caller caller = Caller.of(context);
        String heading = words.of(caller.isAdmin() ? "access:all_tokens" : "access:own_tokens");
        return HtmlPages.respond(new TokensPage(HtmlPages.Layout.of(config, heading, context), heading,
                caller.isAnonymous() ? words.of("access:sign_in_first") : null, caller.isAdmin(), rights(caller, words),
                account, caller.tokenId()), language, context);
    }

    @GET
    @Path(Endpoints.ACCOUNTS_PAGE)
    @NonBlocking
    public Response accounts(@Context RoutingContext context) {
        Language language = Language.of(context);
        Words words = Words.in(language);
        return HtmlPages
                .respond(
                        new AccountsPage(HtmlPages.Layout.of(config, words.of("access:accounts"), context),
                                words.of("access:accounts"),
                                refusalOfAccounts(context, words), rights(Caller.of(context), words)),
                        language, context);
    }

    private static String refusalOfAccounts(RoutingContext context, Words words) {
        Caller caller = Caller.of(context);
        if (caller.isAnonymous()) {
            return words.of("access:sign_in_first");
        }
        return caller.isAdmin() ? null : words.of("access:only_admins");
    }

    /** The rights up to that of the caller. */
    private static List<Choice> rights(Caller caller, Words words) {
        return caller.isAnonymous()
                ? List.of()
                : Arrays.stream(Right.values()).filter(right -> right.compareTo(caller.right()) <= 0)
                        .map(right -> new Choice(right.toString(), switch (right) {
                            case READER -> words.of("access:reader");
                            case WRITER -> words.of("access:writer");
                            case ADMIN -> words.of("access:admin");
                        })).toList();
    }
}
