/**
 * The doors of the service: the pipeline of requests, the STAC and OGC API, the pages for people. It may use all other folders,
 * and no other folder uses it. Rooms, highest first: build, api, site, document, detail, list, view, card, web, ground, chart,
 * transaction, download, stac, collection, item.
 */
package io.datasetlisting.faces;
