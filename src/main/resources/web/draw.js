/** The map on which an owner draws the location of a dataset. An earlier script loads Leaflet. */

import { createMap } from './base.js';
import { EDGE } from './boxes.js';
import { text } from './values.js';

const { L } = window;
/** In pixels. A shorter way of the mouse is a click. */
const CLICK = 5;
const CLOSEST = 14;
const PADDING = 40;
/** Of degrees: a tenth of a metre. */
const DIGITS = 6;

export class LocationMap {

  #map;
  #onDraw;
  #shapes;
  #button;
  #kind = 'box';
  #isDrawing = false;
  /** The first corner of a box, and where the mouse was pressed for it. */
  #first = null;
  #pressed = null;
  #rubber = null;

  /** @param onDraw called with a box or a point, in the order of the API */
  constructor(element, onDraw) {
    this.#onDraw = onDraw;
    this.#map = createMap(element);
    this.#map.setMinZoom(0);
    this.#shapes = L.layerGroup().addTo(this.#map);
    this.#button = this.#addButton(element);
    this.#map.on('mousedown', event => this.#press(event));
    this.#map.on('mousemove', event => this.#stretch(event));
    this.#map.on('mouseup', event => this.#release(event));
    this.#map.on('click', ({ latlng }) => {
      if (this.#kind === 'point') {
        this.#draw([latlng]);
      }
    });
    element.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') {
        this.#stopDrawing();
      }
    });
    const observer = new ResizeObserver(() => {
      if (element.isConnected) {
        this.#map.invalidateSize();
      } else {
        observer.disconnect();
        this.#map.remove();
      }
    });
    observer.observe(element);
  }

  #addButton(element) {
    const bar = L.DomUtil.create('div', 'area-buttons', element);
    const button = L.DomUtil.create('button', '', bar);
    button.type = 'button';
    button.textContent = text('draw_box');
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => this.#isDrawing ? this.#stopDrawing() : this.#startDrawing());
    L.DomEvent.disableClickPropagation(bar);
    return button;
  }

  /** Shows a location of a kind. One that is not complete is not shown. */
  show(kind, location) {
    this.#kind = kind;
    this.#button.hidden = kind !== 'box';
    this.#stopDrawing();
    this.#shapes.clearLayers();
    if (!location || location.length === 0) {
      return;
    }
    const corners = [[location[0], location[1]], [location.at(-2), location.at(-1)]];
    if (kind === 'box') {
      L.rectangle(corners, { className: 'footprint', interactive: false }).addTo(this.#shapes);
    }
    corners.slice(kind === 'box' ? 0 : 1).forEach((corner, i, all) => this.#addHandle(corner, all[1 - i]));
    const bounds = L.latLngBounds(corners);
    if (!this.#map.getBounds().contains(bounds) || this.#map.getZoom() < 3) {
      this.#map.fitBounds(bounds, { animate: false, padding: [PADDING, PADDING], maxZoom: CLOSEST });
    }
  }

  /** A corner, or a point, that can be dragged. The number fields do the same for the keyboard. */
  #addHandle(place, opposite) {
    const icon = L.divIcon({ className: 'handle', iconSize: [18, 18] });
    const handle = L.marker(place, { draggable: true, keyboard: false, icon }).addTo(this.#shapes);
    handle.on('dragend', () => this.#draw(opposite ? [L.latLng(opposite), handle.getLatLng()] : [handle.getLatLng()]));
  }

  // ---- drawing a box: by dragging, or by two clicks ------------------------------------------------

  #startDrawing() {
    this.#setDrawing(true);
  }

  #stopDrawing() {
    this.#setDrawing(false);
    this.#rubber?.remove();
    this.#first = this.#pressed = this.#rubber = null;
  }

  #setDrawing(isDrawing) {
    this.#isDrawing = isDrawing;
    this.#button.setAttribute('aria-pressed', String(isDrawing));
    this.#map.dragging[isDrawing ? 'disable' : 'enable']();
    this.#map.getContainer().classList.toggle('drawing', isDrawing);
  }

  #press({ latlng, containerPoint }) {
    if (!this.#isDrawing) {
      return;
    }
    this.#pressed = this.#first ? null : containerPoint;
    this.#first ??= latlng;
    this.#rubber ??= L.rectangle([this.#first, latlng], { className: 'area', interactive: false }).addTo(this.#map);
  }

  #stretch({ latlng }) {
    this.#rubber?.setBounds(L.latLngBounds(this.#first, latlng));
  }

  #release({ latlng, containerPoint }) {
    const isSecond = this.#pressed === null || containerPoint.distanceTo(this.#pressed) > CLICK;
    if (this.#first && isSecond) {
      this.#draw([this.#first, latlng]);
    }
  }

  /** Tells what is drawn: in the copy of the world in which it begins, because a box of the API does not leave the world. */
  #draw(points) {
    const turn = 360 * Math.floor((points[0].lng + 180) / 360);
    const within = (degrees, limit) => Number(Math.max(-limit, Math.min(limit, degrees)).toFixed(DIGITS));
    const [latitudes, longitudes] = [
      points.map(({ lat }) => within(lat, EDGE)), points.map(({ lng }) => within(lng - turn, 180)),
    ].map(degrees => degrees.sort((a, b) => a - b));
    this.#stopDrawing();
    this.#onDraw(points.length === 2
        ? [latitudes[0], longitudes[0], latitudes[1], longitudes[1]]
        : [latitudes[0], longitudes[0]]);
  }
}
