package io.datasetlisting.write.bulk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestMulti;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SequenceWriter;

import io.datasetlisting.access.account.AuditEntry;
import io.datasetlisting.access.account.AuditFilter;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;

/** Exports the audit as NDJSON, for admins. */
@Path(Endpoints.AUDIT)
@Produces(MediaTypes.NDJSON)
public class AuditExportResource {

    private final AuditRepository audit;
    private final Transfers transfers;
    private final ObjectWriter json;

    public AuditExportResource(AuditRepository audit, Transfers transfers, ObjectMapper json) {
        this.audit = audit;
        this.transfers = transfers;
        this.json = json.writerFor(AuditEntry.class).withRootValueSeparator("\n");
    }

    /** One entry on each line, the newest first, as fast as the client reads. */
    @GET
    public RestMulti<byte[]> exportLines(@Context RoutingContext context) {
        AuditFilter filter = AuditFilter.of(QueryString.parse(context.request().query()));
        return RestMulti.fromMultiData(transfers.limit(audit.readAll(filter).map(this::lines), context)).build();
    }

    /** The platform adds the line feed after the last entry. */
    private byte[] lines(List<AuditEntry> entries) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (SequenceWriter writer = json.writeValues(lines)) {
            writer.writeAll(entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.toByteArray();
    }

    @HEAD
    @NonBlocking
    public Response head(@Context RoutingContext context) {
        AuditFilter.of(QueryString.parse(context.request().query()));
        return Response.ok().type(MediaTypes.NDJSON).build();
    }
}
