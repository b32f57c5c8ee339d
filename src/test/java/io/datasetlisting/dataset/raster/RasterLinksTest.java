package io.datasetlisting.dataset.raster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.storage.Storage;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests the templates of rasters. */
class RasterLinksTest {

    private static final UUID UID = UUID.fromString("6f1c0000-0000-4000-8000-000000000001");

    private static RasterLinks links(String template) {
        RasterConfig config = new SmallRyeConfigBuilder().withMapping(RasterConfig.class)
                .withDefaultValue("dataset.rasters.multispec-ortho", template).build()
                .getConfigMapping(RasterConfig.class);
        Storage storage = Storage.unsigned();
        return new RasterLinks(config, storage.config(), storage.links(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)));
    }

    private static RasterLinks viewedBy(String viewer) {
        RasterConfig config = new SmallRyeConfigBuilder().withMapping(RasterConfig.class)
                .withDefaultValue("dataset.rasters.viewer", viewer).build().getConfigMapping(RasterConfig.class);
        return new RasterLinks(config, null, null);
    }

    @Test
    void anAddressOfTilesHasTheKindOfLinkThatItsTemplateNames() {
        String tiles = "https://t.example/{z}/{x}/{y}?url=";
        String encoded = "https%3A%2F%2Fa%2Fb%3Fc%3Dd%26e";
        RasterLinks open = viewedBy(tiles + "{href}");
        assertEquals(tiles + encoded, open.tiles("https://a/b?c=d&e"));
        assertNull(open.signedTiles("https://a/b?c=d&e"));
        RasterLinks signed = viewedBy(tiles + "{signed}");
        assertEquals(tiles + encoded, signed.signedTiles("https://a/b?c=d&e"));
        assertNull(signed.tiles("https://a/b?c=d&e"));
        assertNull(signed.signedTiles(null));
        assertNull(links("a.tif").tiles("https://a/b"));
        assertNull(links("a.tif").signedTiles("https://a/b"));
        assertNotEquals(open.version(), signed.version());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://t.example/cog/{z}/{x}/{y}?url={href}",
            "https://t.example:8443/{y}/{z}/{x}.png?u={signed}&a=b"})
    void thisIsATemplateOfTiles(String text) {
        assertTrue(RasterLinks.isViewer(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://t.example/{z}/{x}/{y}", "https://t.example/{z}/{x}?url={href}",
            "http://t.example/{z}/{x}/{y}?url={href}", "https://t.example/{z}/{x}/{y}?url={href}{signed}",
            "https://t.example/{z}/{x}/{y}?url={href}&r={href}", "https://t.example/{z}/{z}/{x}/{y}?url={href}",
            "https://{href}/{z}/{x}/{y}", "javascript:{z}{x}{y}{href}", "https://t.example/{s}/{z}/{x}/{y}?url={href}",
            "https://t.example/{z}/{x}/{y}?url={ href}", "https://t.example/{z}/{x}/{y}?url=\"{href}",
            "https://user@t.example/{z}/{x}/{y}?url={href}"})
    void thisIsNoTemplateOfTiles(String text) {
        assertFalse(RasterLinks.isViewer(text));
    }

    private static RasterSource source(String thumbnailKey, String named) {
        return RasterSource.of(17, UID, thumbnailKey, new String[]{"multispec_ortho", "ortho"}, named);
    }

    private static String link(String template, String thumbnailKey) {
        return links(template).link(source(thumbnailKey, null), "multispec_ortho", false);
    }

    @ParameterizedTest
    @CsvSource({
            "{path}/{id}-{uav_uid}/m.tif, a/b/17-U/t.jpg, https://storage.example/datasets/a/b/17-U/m.tif",
            "{path}/{id}-{uav_uid}/m.tif, a/18-U/t.jpg, https://storage.example/datasets/thumbnails/17-U/m.tif",
            "{path}/{id}-{uav_uid}/m.tif, , https://storage.example/datasets/thumbnails/17-U/m.tif",
            "{path}/m.tif, Lüneburg $1/17-U/t.jpg, https://storage.example/datasets/L%C3%BCneburg%20%241/m.tif",
            "https://r.example:8443/{path}/{uav_uid}.tif?v=1, a b/17-U/t.jpg, https://r.example:8443/a%20b/U.tif?v=1"})
    void aTemplateIsFilledWithTheValuesOfTheDataset(String template, String thumbnailKey, String expected) {
        assertEquals(expected.replace("U", UID.toString()),
                link(template, thumbnailKey == null ? null : thumbnailKey.replace("U", UID.toString())));
    }

    @Test
    void aProductWithoutATemplateHasNoLinks() {
        RasterSource source = source(null, null);
        assertTrue(links("a.tif").has(source, "multispec_ortho"));
        assertFalse(links("a.tif").has(source, "ortho"));
        assertFalse(links("a.tif").has(source, "../ortho"));
        assertNull(links("a.tif").link(source, "ortho", false));
    }

    @Test
    void aKeyThatIsTooLongHasNoLink() {
        assertNull(link("{path}/{path}/m.tif", "k".repeat(600) + "/17-" + UID + "/t.jpg"));
    }

    @Test
    void withoutAFolderAndHostsOwnersNameNoLocation() {
        for (String location : List.of("m.tif", "https://r.example/m.tif")) {
            RasterSource source = source(null, "{\"multispec_ortho\":\"" + location + "\"}");
            assertNotNull(links("a.tif").refusal(location));
            assertFalse(links("a.tif").has(source, "multispec_ortho"));
            assertNull(links("a.tif").link(source, "multispec_ortho", false));
        }
        assertFalse(links("a.tif").isNamedByOwners());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ortho.tif", "odm_orthophoto/odm_orthophoto.tif", "Lüneburg $1/{id}.tif",
            "javascript:alert(1)",
            "https:/r.example/a.tif", "https://r.example/a.tif", "https://R.example:8443/a%20b/c.tif"})
    void thisIsALocation(String text) {
        assertTrue(RasterLinks.isLocation(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/ortho.tif", "../ortho.tif", "a/../../b.tif", "a/./b.tif", "a//b.tif", "a/",
            "a\\..\\b.tif",
            "a\u0000b", "\ud800", "http://r.example/a.tif", "HTTPS://r.example/a.tif", "s3://bucket/a.tif",
            "https://r.example", "https://r.example/", "https://user@r.example/a.tif",
            "https://r.example@other.example/a.tif",
            "https://r.example\\@other.example/a.tif", "https://r.example/a.tif?signature=x",
            "https://r.example/a.tif#x",
            "https://r.example/%2e%2e/a.tif", "https://r.example/%zz.tif", "https://r.example/\"a.tif",
            "https://[::1]/a.tif", "https://r.example:/a.tif", "https:///a.tif", "https://r.example/a b.tif",
            "https://r.example/ü.tif"})
    void thisIsNoLocation(String text) {
        assertFalse(RasterLinks.isLocation(text));
    }

    @Test
    void aLocationHasAtMost500Characters() {
        assertTrue(RasterLinks.isLocation("k".repeat(500)));
        assertFalse(RasterLinks.isLocation("k".repeat(501)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{path}/{id}-{uav_uid}", "rasters/{id}", "{uav_uid}"})
    void thisIsATemplateOfFolders(String text) {
        assertTrue(RasterLinks.isFolder(text));
    }

    /** Without the id, the folders of two datasets would be the same. */
    @ParameterizedTest
    @ValueSource(strings = {"{path}", "rasters", "{path}/{id}/", "https://r.example/{id}", "../{id}"})
    void thisIsNoTemplateOfFolders(String text) {
        assertFalse(RasterLinks.isFolder(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ortho.tif", "{path}/{id}-{uav_uid}/ortho.tif", "https://r.example/{id}.tif",
            "https://r.example/cog?path={path}&id={id}"})
    void thisIsATemplate(String text) {
        assertTrue(RasterLinks.isTemplate(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/ortho.tif", "{name}/ortho.tif", "{path}//ortho.tif", "../ortho.tif", "{id",
            "http://r.example/a.tif",
            "javascript:alert(1)//x", "https://{path}/a.tif", "https://r.example", "https://user@r.example/a.tif",
            "https://r.example/a b.tif", "https://r.example/\"a.tif", "s3://bucket/a.tif"})
    void thisIsNoTemplate(String text) {
        assertFalse(RasterLinks.isTemplate(text));
    }
}
