package io.datasetlisting.faces.api;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;

import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Sets the length of responses to HEAD whose body is bytes. The platform calls the method for GET unless there is one for
 * HEAD, and does not set the length of the body, because it does not write the body.
 */
public class HeadResponses {

    @ServerResponseFilter
    public void setLength(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getMethod().equals(HttpMethod.HEAD) && response.getEntity() instanceof byte[] body) {
            response.getHeaders().putSingle(HttpHeaders.CONTENT_LENGTH, body.length);
            response.setEntity(null, null, response.getMediaType());
        }
    }
}
