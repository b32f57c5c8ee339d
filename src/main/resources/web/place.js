/** The map on which an owner draws the location of a dataset. An earlier script loads Leaflet. */

import { createMap } from './base.js';
import { EDGE, parseBox } from './boxes.js';
import { Drawing } from './draw.js';
import { sentence } from './sentences.js';

const CLOSEST = 14;
const PADDING = 40;
/** Of degrees: a tenth of a metre. */
const DIGITS = 6;

export class LocationMap {

  #map;
  #onDraw;
  #shapes;
  #button;
  #drawing;
  #kind = 'box';

  /** @param onDraw called with a box or a point, in the order of the API */
  constructor(element, onDraw) {
    this.#onDraw = onDraw;
    this.#map = createMap(element);
    this.#map.setMinZoom(0);
    this.#shapes = L.layerGroup().addTo(this.#map);
    this.#button = this.#addButton(element);
    this.#drawing = new Drawing(this.#map, (_, corners) => this.#draw(corners),
        () => this.#button.setAttribute('aria-pressed', 'false'));
    this.#map.on('click', ({ latlng }) => {
      if (this.#kind === 'point') {
        this.#draw([latlng]);
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
    button.textContent = sentence('draw_box');
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => {
      if (this.#drawing.kind) {
        this.#drawing.stop();
      } else {
        this.#drawing.start('box');
        button.setAttribute('aria-pressed', 'true');
      }
    });
    L.DomEvent.disableClickPropagation(bar);
    return button;
  }

  /** Shows a place, whose box the search field knows as text. */
  goTo(box) {
    this.#map.fitBounds(parseBox(box), { animate: false, maxZoom: CLOSEST });
  }

  /** Shows a location of a kind. One that is not complete is not shown. */
  show(kind, location) {
    this.#kind = kind;
    this.#button.hidden = kind !== 'box';
    this.#drawing.stop();
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
    handle.on('dragend', () => {
      if (!this.#draw(opposite ? [L.latLng(opposite), handle.getLatLng()] : [handle.getLatLng()])) {
        handle.setLatLng(place);
      }
    });
  }

  /**
   * Tells what is drawn. A box begins in the world of the API. One that crosses the antimeridian has its west above its east,
   * which the form refuses with a sentence.
   *
   * @return whether it is a location: a box has an area
   */
  #draw(points) {
    const turn = 360 * Math.floor((points[0].lng + 180) / 360);
    const round = degrees => Number(degrees.toFixed(DIGITS));
    const latitudes = points.map(({ lat }) => round(Math.max(-EDGE, Math.min(EDGE, lat)))).sort((a, b) => a - b);
    const longitudes = points.map(({ lng }) => round(lng - turn)).sort((a, b) => a - b);
    const isBox = points.length === 2;
    if (isBox && (latitudes[0] === latitudes[1] || longitudes[0] === longitudes[1])) {
      return false;
    }
    const [west, east] = isBox && longitudes[1] - longitudes[0] >= 360
      ? [-180, 180]
      : longitudes.map(degrees => degrees < -180 ? round(degrees + 360) : degrees > 180 ? round(degrees - 360) : degrees);
    this.#drawing.stop();
    this.#onDraw(isBox ? [latitudes[0], west, latitudes[1], east] : [latitudes[0], west]);
    return true;
  }
}
