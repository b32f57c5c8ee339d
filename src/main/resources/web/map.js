/** The map of a page: footprints of its datasets, and how many datasets lie where. An earlier script loads Leaflet. */

import { createButton, createMap } from './base.js';
import { around, boxOf, parseBox, parseRings, polygonOf, shift, whole } from './boxes.js';
import { Circles } from './circles.js';
import { COPIES_OF_THE_WORLD, WORLD } from './ground.js';
import { TokenRefused, isSignedIn, request } from './session.js';
import { Footprints } from './footprints.js';
import { pause, sentence } from './sentences.js';
import { addDrawing } from './tools.js';

const MOVE_PAUSE = 250;
/** In pixels, between the shown boxes and the edge of the map. */
const PADDING = 24;
const PADDING_OF_ONE = 80;
/** A very small footprint still has a part of the world around it. */
const CLOSEST = 14;
const CLOSEST_OF_PICTURE = 18;
/** The fragment of an address with the zoom and the centre of the map. */
const VIEW = /^#map=([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)$/;

export class PageMap {

  #visits;
  #element = null;
  #map = null;
  #footprints = null;
  /** The area of the view, as the address has it, or null. */
  #areaText = null;
  #moving = null;
  #counting = null;
  #isSearching = false;
  /** The filters to which the map is fitted, without the area. */
  #fitted = null;
  /** What the map was fitted to, and its center and zoom before the reader moves it. */
  #bounds = null;
  #home = null;
  /** The view that the address of the document names, or null. */
  #view = VIEW.exec(location.hash);
  /** The counts of the whole world for the datasets of the page, or null. */
  #world = null;

  /** @param visits has visit(url), and showPublicView() for the case that the service refuses the token */
  constructor(visits) {
    this.#visits = visits;
  }

  /** Shows the datasets of the page. The map stays if the page still has its element. */
  async show(main) {
    const element = main.querySelector('#map:not([data-own])');
    if (element !== this.#element) {
      this.#close();
      if (element && window.L) {
        this.#open(element);
        await pause();
      }
    }
    if (this.#map && this.#element === element) {
      this.#update(main);
    }
  }

  #close() {
    this.#counting?.abort();
    clearTimeout(this.#moving);
    this.#map?.remove();
    this.#map = this.#element = this.#home = this.#bounds = this.#world = null;
    this.#areaText = this.#fitted = null;
  }

  // ---- construction -------------------------------------------------------------------------------

  #open(element) {
    this.#element = element;
    element.setAttribute('aria-busy', 'true');
    this.#map = createMap(element);
    this.#footprints = new Footprints(this.#map, element);
    this.counts = new Circles(this.#map, element, box => this.#search('in_bbox', box, false));
    this.area = L.layerGroup().addTo(this.#map);
    if (element.dataset.grid !== undefined) {
      this.#addAreaButtons();
      addDrawing(this.#map, element, (shape, corners) => this.#searchShape(shape, corners));
      this.#map.on('moveend', () => this.#moved());
    }
    if (element.dataset.layers) {
      import('./swipe.js').then(({ addSwipe }) => this.#element === element && addSwipe(this.#map, element)).catch(() => {
        // Without the script the map shows where the two datasets are.
      });
    }
    this.#map.on('moveend', () => this.#home && this.#footprints.draw());
    this.#limitZoom();
    new ResizeObserver(() => {
      if (this.#element === element && !element.matches('.on-paper')) {
        this.#resize();
      }
    }).observe(element);
  }

  /** After another form of the list, for example. A map that the reader has not moved shows all again. */
  #resize() {
    const isAtHome = this.#isAtHome();
    // Leaflet would pan the map inside its bounds, and go on with it in the next view.
    this.#map.invalidateSize(isAtHome ? { pan: false, debounceMoveend: true } : {});
    if (isAtHome) {
      this.#fit(this.#bounds);
      this.#goHome();
    } else {
      this.#limitZoom();
    }
  }

  /** The smallest zoom fills the height of the map, unless the map shows more already. */
  #limitZoom() {
    const { x, y } = this.#map.getSize();
    const step = this.#map.options.zoomSnap;
    const filling = Math.ceil(Math.log2(Math.max(y, x / COPIES_OF_THE_WORLD.length) / WORLD) / step) * step;
    this.#map.setMinZoom(Math.min(filling, this.#map.getZoom()));
  }

  #addAreaButtons() {
    const bar = L.DomUtil.create('div', 'area-buttons', this.#element);
    this.searchArea = createButton(sentence('search_area'), () => this.#search('in_bbox', boxOf(this.#map.getBounds()), true));
    bar.append(this.searchArea);
    L.DomEvent.disableClickPropagation(bar);
  }

  #searchShape(shape, corners) {
    if (shape === 'box') {
      this.#search('in_bbox', boxOf(L.latLngBounds(corners)), false);
    } else {
      this.#search('intersects', polygonOf(corners), false);
    }
  }

  // ---- the datasets of the page -------------------------------------------------------------------

  #update(main) {
    this.#footprints.update(main);
    this.total = Number([...main.querySelectorAll('#count data')].at(-1)?.value ?? this.#footprints.boxes.length);
    this.#showArea();
  }

  /** Shows the area of the view. The map moves only if the area or the filters change, to the area or to all datasets. */
  async #showArea() {
    const { box, grid } = this.#element.dataset;
    const query = new URLSearchParams(box ? '' : location.search);
    const [boxText, drawn] = ['in_bbox', 'intersects'].map(name => query.get(name) ?? '');
    const text = `${boxText} ${drawn}`.trim() || null;
    const rings = parseRings(drawn);
    const areas = [parseBox(boxText), rings.length ? around(rings.map(ring => L.latLngBounds(ring))) : null].filter(Boolean);
    const area = areas.length ? around(areas) : null;
    this.area.clearLayers();
    const options = { className: 'area', interactive: false };
    for (const degrees of COPIES_OF_THE_WORLD) {
      areas.slice(0, boxText ? 1 : 0).forEach(each => L.rectangle(shift(each, degrees), options).addTo(this.area));
      rings.forEach(ring => L.polygon(ring.map(({ lat, lng }) => [lat, lng + degrees]), options).addTo(this.area));
    }
    const filters = grid ?? box;
    this.#world = null;
    // A page without results says why, and the map stays.
    const isStill = this.#isSearching || (filters === '' && this.#home);
    const moves = !isStill && (text !== this.#areaText || (!area && filters !== this.#fitted));
    const isSearching = this.#isSearching;
    this.#isSearching = false;
    this.#areaText = text;
    this.#fitted = filters;
    if (moves) {
      this.#home = null;
      this.#footprints.clear();
      const bounds = area ?? await this.#extent();
      if (this.#fitted !== filters || this.#areaText !== text || !this.#map) {
        return;
      }
      this.#fit(bounds);
      this.#goHome();
      const [, zoom, latitude, longitude] = this.#view?.map(Number) ?? [];
      if (zoom) {
        this.#map.setView([latitude, longitude], zoom, { animate: false });
      }
      this.#view = null;
    } else if (isSearching) {
      this.#goHome();
    } else if (this.#home) {
      // Otherwise, the bounds of an earlier view are still awaited.
      this.#footprints.draw();
      this.#moved();
    }
  }

  /** Keeps the view in the address, so that the reader can share it. The view in which the map begins needs no fragment. */
  #rememberView() {
    const { lat, lng } = this.#map.getCenter().wrap();
    const [zoom, latitude, longitude] = [this.#map.getZoom(), lat, lng].map((each, i) => Number(each.toFixed(i ? 4 : 2)));
    const hash = this.#isAtHome() ? '' : `#map=${zoom}/${latitude}/${longitude}`;
    const isFragmentOfPage = location.hash && !VIEW.test(location.hash);
    if (hash !== location.hash && !isFragmentOfPage && !this.#element.matches('.on-paper')) {
      history.replaceState(history.state, '', location.pathname + location.search + hash);
    }
  }

  /** The map is where it begins. */
  #goHome() {
    this.#home = { center: this.#map.getCenter(), zoom: this.#map.getZoom() };
    this.#footprints.draw();
    this.#moved();
  }

  #isAtHome() {
    const place = point => this.#map.latLngToLayerPoint(point);
    const { center, zoom } = this.#home ?? {};
    return zoom === this.#map.getZoom() && place(center).distanceTo(place(this.#map.getCenter())) < 3;
  }

  /** The bounds of all datasets that match, also of those on other pages. */
  async #extent() {
    const ofPage = around(this.#footprints.boxes.map(({ box }) => box));
    if (this.total <= this.#footprints.boxes.length || !this.#element.dataset.grid) {
      return ofPage;
    }
    try {
      const { grid } = this.#element.dataset;
      const url = new URL(grid, location.href);
      // The page has asked for the public counts already. Its response is only for a request without headers.
      const response = isSignedIn() ? await request(url, 'application/json') : await fetch(url);
      const counts = response.ok ? await response.json() : null;
      if (this.#element?.dataset.grid === grid) {
        this.#world = counts;
      }
      const all = parseBox(counts?.bbox?.join());
      return all ? whole(all) : ofPage;
    } catch {
      // The counts tell that the token is refused.
      return ofPage;
    }
  }

  #fit(bounds) {
    this.#bounds = bounds;
    // A picture is large; an outline has a part of the world around it.
    const padding = this.#element.dataset.box && !this.#element.dataset.picture ? PADDING_OF_ONE : PADDING;
    if (bounds.isValid()) {
      // All of them are in view, even if the world does not fill the map then.
      this.#map.setMinZoom(-2);
      this.#map.fitBounds(bounds, {
        animate: false, padding: [padding, padding], maxZoom: this.#element.dataset.picture ? CLOSEST_OF_PICTURE : CLOSEST,
      });
    } else {
      this.#map.fitWorld({ animate: false });
    }
    this.#limitZoom();
  }

  // ---- the view -----------------------------------------------------------------------------------

  /** After a movement: offers to search the area, and counts its datasets. */
  #moved() {
    if (!this.#home) {
      return;
    }
    if (this.#element.dataset.grid === undefined) {
      this.#element.removeAttribute('aria-busy');
      return;
    }
    this.searchArea.hidden = this.#isAtHome();
    this.#rememberView();
    clearTimeout(this.#moving);
    this.#counting?.abort();
    if (this.#world && this.#isOfTheWorld(this.#world)) {
      this.#showCounts(this.#world);
    } else {
      this.#moving = setTimeout(() => this.#count(), MOVE_PAUSE);
    }
  }

  /** Whether the cells of the world are those of the view: more than half of it, with all datasets. */
  #isOfTheWorld({ bbox }) {
    const view = this.#map.getBounds();
    const all = parseBox(bbox?.join());
    return all && view.getEast() - view.getWest() > 180 && view.contains(whole(all));
  }

  /**
   * Searches an area in place of the one of the view.
   *
   * @param name the parameter of the area, whose text is null for the whole world
   * @param stays whether the map stays at the view
   */
  #search(name, text, stays) {
    const url = new URL(location.href);
    url.hash = '';
    ['p', 'in_bbox', 'intersects', 'place'].forEach(each => url.searchParams.delete(each));
    if (text) {
      // The search parameters write a comma as %2C, which people cannot read.
      url.search += `${url.search ? '&' : '?'}${name}=${text.replaceAll(' ', '+')}`;
    }
    this.#isSearching = stays;
    this.#visits.visit(url);
  }

  /** Shows how many datasets lie where, if the view has more than the page. */
  async #count() {
    const url = new URL(this.#element.dataset.grid, location.href);
    url.searchParams.set('in_bbox', boxOf(this.#map.getBounds()) ?? '-180,-90,180,90');
    const own = this.#counting = new AbortController();
    let grid = { count: 0, cells: [] };
    try {
      if (this.#element.dataset.grid && (this.total > this.#footprints.boxes.length || this.#areaText)) {
        const response = await request(url, 'application/json', own.signal);
        grid = response.ok ? await response.json() : grid;
      }
    } catch (error) {
      // Without the network the map shows no counts, and the next movement asks again.
      if (error instanceof TokenRefused) {
        this.#visits.showPublicView();
      }
    }
    if (this.#counting === own && !own.signal.aborted) {
      this.#showCounts(grid);
    }
  }

  #showCounts({ cells }) {
    this.counts.draw(cells.filter(each => this.#hasMore(each)));
    this.#element.removeAttribute('aria-busy');
  }

  /** Whether a cell of the grid has more datasets than the page shows there. */
  #hasMore({ bbox: [west, south, east, north], count }) {
    const shown = this.#footprints.boxes.map(({ box }) => box.getCenter().wrap())
        .filter(({ lng, lat }) => lng >= west && lng <= east && lat >= south && lat <= north);
    return count > shown.length;
  }
}
