package io.datasetlisting.support;

import org.apache.http.conn.ClientConnectionManager;
import org.apache.http.conn.scheme.SchemeRegistry;
import org.apache.http.impl.client.DefaultHttpClient;
import org.apache.http.impl.conn.BasicClientConnectionManager;
import org.apache.http.impl.conn.SchemeRegistryFactory;
import org.apache.http.params.HttpParams;

/** The HTTP client of one request of REST Assured. Each client of its class would read its defaults from the class path anew. */
@SuppressWarnings("deprecation")
final class RequestClient extends DefaultHttpClient {

    private static final HttpParams DEFAULTS = new DefaultHttpClient().getParams();
    private static final SchemeRegistry SCHEMES = SchemeRegistryFactory.createDefault();

    @Override
    protected HttpParams createHttpParams() {
        return DEFAULTS.copy();
    }

    @Override
    protected ClientConnectionManager createClientConnectionManager() {
        return new BasicClientConnectionManager(SCHEMES);
    }
}
