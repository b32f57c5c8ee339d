package io.datasetlisting.faces.site;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.dataset.storage.ThumbnailStore;
import io.datasetlisting.faces.site.AccessPages.Choice;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.ScriptSentences;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.write.edit.VisibleDatasets;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers the form in which an owner writes a dataset. The form has no values: its script reads them from the API, because the
 * tag with which it saves them must be of the same version.
 */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class DatasetForms {

    private final PageConfig config;
    private final long maxPictureSize;
    private final long days;
    private final VisibleDatasets datasets;
    private final RasterLinks rasters;

    DatasetForms(PageConfig config, StorageConfig storage, DeletedConfig deleted, VisibleDatasets datasets,
            RasterLinks rasters) {
        this.config = config;
        this.datasets = datasets;
        this.rasters = rasters;
        maxPictureSize = storage.maxThumbnailSize().asLongValue();
        days = deleted.keep().toDays();
    }

    /**
     * The page with the form, or with the reason why the caller receives none.
     *
     * @param id
     *            of the dataset; null for a new one
     * @param refusal
     *            null with the form
     * @param hasRasters
     *            whether datasets may have links to rasters
     * @param namesRasters
     *            whether owners may name locations of rasters
     * @param days
     *            for which a deleted dataset can be restored
     * @param sentences
     *            of the script, as JSON
     */
    @CheckedTemplate(basePath = "")
    record DatasetFormPage(HtmlPages.Layout page, String heading, Long id, String refusal, List<Choice> categories,
            List<Choice> rasters, boolean hasRasters, boolean namesRasters, Picture picture, long days,
            String sentences) implements TemplateInstance {
    }

    /**
     * What a picture may be.
     *
     * @param maxSize
     *            in bytes
     * @param types
     *            the media types, with commas between
     */
    record Picture(long maxSize, String types) {
    }

    /** The form for a new dataset. */
    @GET
    @Path(Endpoints.NEW)
    @NonBlocking
    public Response create(@Context RoutingContext context) {
        return answer(context, null);
    }

    /** The form that changes a dataset. A dataset that the caller may not read is not found. */
    @GET
    @Path(Endpoints.EDIT)
    public Uni<Response> edit(@PathParam("id") String id, @Context RoutingContext context) {
        return datasets.find(id, context).map(dataset -> answer(context, dataset));
    }

    private Response answer(RoutingContext context, Dataset dataset) {
        Language language = Language.of(context);
        Words words = Words.in(language);
        String heading = words.of(dataset == null ? "form:new_dataset" : "form:edit_dataset");
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, heading, context);
        return HtmlPages.respond(new DatasetFormPage(layout, heading, dataset == null ? null : dataset.id,
                refusal(Caller.of(context), dataset, words),
                DatasetFields.CATEGORIES.stream()
                        .map(value -> new Choice(value, ValueLabels.category(value, language))).toList(),
                DatasetFields.RASTERS.stream().map(value -> new Choice(value, ValueLabels.raster(value, language)))
                        .toList(),
                DatasetFields.RASTERS.stream().anyMatch(rasters::mayHave), rasters.isNamedByOwners(),
                new Picture(maxPictureSize, String.join(",", ThumbnailStore.MEDIA_TYPES)), days,
                ScriptSentences.ofOwners(language.tag())), language, context);
    }

    private static String refusal(Caller caller, Dataset dataset, Words words) {
        if (caller.isAnonymous()) {
            return words.of("form:sign_in_first");
        }
        if (!caller.mayWrite()) {
            return words.of("form:only_reads");
        }
        if (dataset == null) {
            return null;
        }
        if (!dataset.isWritableBy(caller)) {
            return words.of("form:not_yours");
        }
        return caller.mayWriteIn(dataset.workspace) ? null : words.of("form:other_workspace");
    }
}
