/** The map of a page: footprints of its datasets, and how many datasets lie where. An earlier script loads Leaflet. */

import { COPIES_OF_THE_WORLD, WORLD, createButton, createMap } from './base.js';
import { around, boxOf, parseBox, shift, whole } from './boxes.js';
import { Circles } from './circles.js';
import { TokenRefused, isSignedIn, request } from './session.js';
import { sentence } from './sentences.js';

const MOVE_PAUSE = 250;
/** In pixels. A smaller footprint is a dot. */
const DOT = 10;
/** In pixels, between the shown boxes and the edge of the map. */
const PADDING = 24;
/** In pixels. A larger footprint is drawn as its picture. */
const PICTURE = 64;
const PADDING_OF_ONE = 80;
/** A very small footprint still has a part of the world around it. */
const CLOSEST = 14;
const CLOSEST_OF_PICTURE = 17;

export class PageMap {

  #visits;
  #element = null;
  #map = null;
  /** Shapes on the map by the id of the dataset. */
  #shapes = new Map();
  #boxText = null;
  #moving = null;
  #counting = null;
  #isSearching = false;
  /** The filters to which the map is fitted, without the area. */
  #fitted = null;
  /** The turns around the world of the footprints on the map, and the zoom. */
  #drawn = '';
  #opacity = 1;
  /** What the map was fitted to, and its center and zoom before the reader moves it. */
  #bounds = null;
  #home = null;
  /** The counts of the whole world for the datasets of the page, or null. */
  #world = null;

  /** @param visits has visit(url), and showPublicView() for the case that the service refuses the token */
  constructor(visits) {
    this.#visits = visits;
  }

  /** Shows the datasets of the page. The map stays if the page still has its element. */
  show(main) {
    const element = main.querySelector('#map:not([data-own])');
    if (element !== this.#element) {
      this.#close();
      if (element && window.L) {
        this.#open(element);
      }
    }
    if (this.#map) {
      this.#update(main);
    }
  }

  #close() {
    this.#counting?.abort();
    clearTimeout(this.#moving);
    this.#map?.remove();
    this.#map = this.#element = this.#home = this.#bounds = this.#world = null;
    this.#boxText = this.#fitted = null;
    this.#opacity = 1;
    this.boxes = [];
  }

  // ---- construction -------------------------------------------------------------------------------

  #open(element) {
    this.#element = element;
    element.setAttribute('aria-busy', 'true');
    this.#map = createMap(element);
    const { style } = this.#map.createPane('pictures');
    [style.zIndex, style.pointerEvents] = [390, 'none'];
    this.pictures = L.layerGroup().addTo(this.#map);
    this.footprints = L.featureGroup().addTo(this.#map);
    this.counts = new Circles(this.#map, element, box => this.#search(box, false));
    this.area = L.layerGroup().addTo(this.#map);
    if (element.dataset.grid !== undefined) {
      this.#addAreaButtons();
      this.#map.on('moveend', () => this.#moved());
    }
    this.#map.on('moveend', () => this.#drawFootprints());
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
    this.searchArea = createButton(sentence('search_area'), () => this.#search(boxOf(this.#map.getBounds()), true));
    bar.append(this.searchArea);
    L.DomEvent.disableClickPropagation(bar);
  }

  // ---- the datasets of the page -------------------------------------------------------------------

  #update(main) {
    this.cards = [...main.querySelectorAll('li[data-box]')];
    this.total = Number([...main.querySelectorAll('#count data')].at(-1)?.value ?? this.cards.length);
    this.boxes = this.#element.dataset.box
        ? [{ box: parseBox(this.#element.dataset.box) }]
        : this.cards.map(card => ({ card, box: parseBox(card.dataset.box) }));
    this.boxes = this.boxes.filter(({ box }) => box);
    this.cards.forEach(card => this.#markWithCard(card));
    this.#followOpacity(main);
    this.#showArea();
  }

  /** The slider shows the ground under the picture. */
  #followOpacity(main) {
    const slider = main.querySelector('#opacity');
    if (slider) {
      const follow = () => {
        this.#opacity = Number(slider.value);
        this.pictures.eachLayer(picture => picture.setOpacity(this.#opacity));
      };
      slider.closest('[hidden]')?.removeAttribute('hidden');
      slider.addEventListener('input', follow);
      follow();
    }
  }

  /** Shows the area of the view. The map moves only if the area or the filters change, to the area or to all datasets. */
  async #showArea() {
    const text = new URLSearchParams(location.search).get('in_bbox');
    const { box, grid } = this.#element.dataset;
    const area = box ? null : parseBox(text);
    this.area.clearLayers();
    if (area) {
      for (const degrees of COPIES_OF_THE_WORLD) {
        L.rectangle(shift(area, degrees), { className: 'area', interactive: false }).addTo(this.area);
      }
    }
    const filters = grid ?? box;
    this.#world = null;
    // A page without results says why, and the map stays.
    const isStill = this.#isSearching || (filters === '' && this.#home);
    const moves = !isStill && (text !== this.#boxText || (!area && filters !== this.#fitted));
    this.#isSearching = false;
    this.#boxText = text;
    this.#fitted = filters;
    this.#drawn = '';
    if (moves) {
      this.#home = null;
      this.footprints.clearLayers();
      const bounds = area ?? await this.#extent();
      if (this.#fitted !== filters || this.#boxText !== text || !this.#map) {
        return;
      }
      this.#fit(bounds);
    } else if (!this.#home) {
      // The bounds of an earlier view are still awaited.
      return;
    }
    this.#goHome();
  }

  /** The map is where it begins. */
  #goHome() {
    this.#home = { center: this.#map.getCenter(), zoom: this.#map.getZoom() };
    this.#drawFootprints();
    this.#moved();
  }

  #isAtHome() {
    const place = point => this.#map.latLngToLayerPoint(point);
    const { center, zoom } = this.#home ?? {};
    return zoom === this.#map.getZoom() && place(center).distanceTo(place(this.#map.getCenter())) < 3;
  }

  /** The bounds of all datasets that match, also of those on other pages. */
  async #extent() {
    const ofPage = around(this.boxes.map(({ box }) => box));
    if (this.total <= this.boxes.length || !this.#element.dataset.grid) {
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
    const padding = this.#element.dataset.box ? PADDING_OF_ONE : PADDING;
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

  /** Draws the footprints in the copy of the world that is nearest to the middle of the map. */
  #drawFootprints() {
    if (!this.#home) {
      return;
    }
    const center = this.#map.getCenter().lng;
    const places = this.boxes.map(each => ({ ...each, turn: 360 * Math.round((center - each.box.getCenter().lng) / 360) }));
    const drawn = [this.#map.getZoom(), ...places.map(({ turn }) => turn)].join();
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    this.pictures.clearLayers();
    this.footprints.clearLayers();
    this.#shapes.clear();
    for (const { box, card, turn } of places) {
      const shape = this.#shape(shift(box, turn)).addTo(this.footprints);
      this.#addPicture(shape, card ? this.#pictureOf(card) : this.#element.dataset.picture);
      if (card) {
        this.#shapes.set(card.dataset.id, [shape]);
        this.#linkWithCard(shape, card);
        // The listeners of a tooltip make a shape a tab stop. With the keyboard, the card is the way to the dataset.
        shape.getElement()?.setAttribute('tabindex', '-1');
      }
    }
  }

  /** The address of the picture on a card, unless it is the one of all datasets without a picture. */
  #pictureOf(card) {
    const address = card.querySelector('img')?.src;
    return address?.split('?')[0] === this.#element.dataset.placeholder ? null : address;
  }

  /** Puts the picture of a dataset under its outline. Without a picture, the outline stays as it is. */
  #addPicture(shape, address) {
    const size = address && shape.getBounds && this.#sizeOf(shape.getBounds());
    if (!size || Math.max(size.x, size.y) < PICTURE) {
      return;
    }
    const options = { pane: 'pictures', opacity: this.#opacity, className: 'picture' };
    const picture = L.imageOverlay(address, shape.getBounds(), options);
    picture.on('load', () => shape.getElement()?.classList.add('pictured')).on('error', () => picture.remove());
    picture.addTo(this.pictures);
  }

  #sizeOf(box) {
    return this.#map.latLngToLayerPoint(box.getSouthEast()).subtract(this.#map.latLngToLayerPoint(box.getNorthWest()));
  }

  #shape(box) {
    const size = this.#sizeOf(box);
    return Math.max(size.x, size.y) < DOT
        ? L.circleMarker(box.getCenter(), { className: 'footprint dot', radius: DOT / 2 })
        : L.rectangle(box, { className: 'footprint' });
  }

  // ---- a footprint and its card -------------------------------------------------------------------

  #linkWithCard(group, card) {
    const name = document.createElement('span');
    name.textContent = card.querySelector('.name').textContent;
    group.bindTooltip(name, { sticky: true })
        .on('mouseover', () => this.#mark(card, true))
        .on('mouseout', () => this.#mark(card, false))
        .on('click', () => card.querySelector('a').click());
  }

  #markWithCard(card) {
    for (const [event, isMarked] of [['mouseenter', true], ['mouseleave', false], ['focusin', true], ['focusout', false]]) {
      card.addEventListener(event, () => this.#mark(card, isMarked));
    }
  }

  #mark(card, isMarked) {
    card.classList.toggle('marked', isMarked);
    for (const shape of this.#shapes.get(card.dataset.id) ?? []) {
      const element = shape.getElement();
      // An element that moves to the front under the mouse causes another mouseover, and takes the click away.
      if (isMarked && !element?.classList.contains('marked')) {
        shape.bringToFront();
      }
      element?.classList.toggle('marked', isMarked);
    }
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

  /** @param stays whether the map stays at the view */
  #search(box, stays) {
    const url = new URL(location.href);
    url.hash = '';
    url.searchParams.delete('p');
    url.searchParams.delete('in_bbox');
    url.searchParams.delete('place');
    if (box) {
      // The search parameters write a comma as %2C, which people cannot read.
      url.search += `${url.search ? '&' : '?'}in_bbox=${box}`;
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
      if (this.#element.dataset.grid && (this.total > this.boxes.length || this.#boxText)) {
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
    const shown = this.boxes.map(({ box }) => box.getCenter().wrap())
        .filter(({ lng, lat }) => lng >= west && lng <= east && lat >= south && lat <= north);
    return count > shown.length;
  }
}
