package io.datasetlisting.http;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Hands out the files of Swagger UI that are in the package. The platform's own handler looks for them through Vert.x,
 * which is not to look in the class path ({@code quarkus.vertx.classpath-resolving}); dev mode has them in a folder, and
 * leaves them to the platform.
 */
@Singleton
class SwaggerUi {

    private static final String PATH = "/q/swagger-ui/";
    private static final String FOLDER = "META-INF/io.smallrye_smallrye-open-api-ui__jar/META-INF/resources/openapi-ui/";

    /** One segment: no way leads out of the folder. */
    private static final Pattern FILE = Pattern.compile("[a-z0-9][a-z0-9-]*\\.(html|js|css|png|ico)");
    private static final Map<String, String> MEDIA_TYPES = Map.of("html", "text/html;charset=UTF-8", "js",
            "text/javascript", "css", "text/css", "png", "image/png", "ico", "image/x-icon");

    private final boolean enabled;

    SwaggerUi(@ConfigProperty(name = "quarkus.swagger-ui.enabled", defaultValue = "true") boolean enabled) {
        this.enabled = enabled;
    }

    void register(@Observes Router router) {
        if (enabled) {
            router.get(PATH + "*").order(0).handler(SwaggerUi::send);
        }
    }

    private static void send(RoutingContext context) {
        String path = context.normalizedPath();
        if (!path.startsWith(PATH)) {
            // Its slash is missing, and the page's own links begin there.
            context.redirect(PATH);
            return;
        }
        String name = path.substring(PATH.length());
        Matcher file = FILE.matcher(name.isEmpty() ? "index.html" : name);
        if (!file.matches()) {
            context.next();
            return;
        }
        context.vertx().executeBlocking(() -> read(file.group())).onSuccess(bytes -> context.response()
                .putHeader("Content-Type", MEDIA_TYPES.get(file.group(1))).end(bytes))
                .onFailure(notInThePackage -> context.next());
    }

    private static Buffer read(String name) throws IOException {
        try (InputStream file = Thread.currentThread().getContextClassLoader().getResourceAsStream(FOLDER + name)) {
            if (file == null) {
                throw new FileNotFoundException(name);
            }
            return Buffer.buffer(file.readAllBytes());
        }
    }
}
