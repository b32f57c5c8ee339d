/** The map on which an owner draws the location of a dataset. An earlier script loads Leaflet. */

import { createMap } from './base.js';
import { EDGE, parseBox } from './boxes.js';
import { text } from './values.js';

/** In pixels. A shorter way of the mouse is a click, and a shorter way of a finger is a tap. */
const CLICK = 5;
const TAP = 12;
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
  /** The first corner of a box, and where the mouse or the finger was pressed for it. */
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
    // Leaflet has no events of a finger that moves.
    element.addEventListener('pointerdown', event => this.#press(event));
    element.addEventListener('pointermove', event => this.#stretch(event));
    element.addEventListener('pointerup', event => this.#release(event));
    element.addEventListener('pointercancel', () => this.#forgetCorner());
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

  /** Shows a place, whose box the search field knows as text. */
  goTo(box) {
    this.#map.fitBounds(parseBox(box), { animate: false, maxZoom: CLOSEST });
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
    handle.on('dragend', () => {
      if (!this.#draw(opposite ? [L.latLng(opposite), handle.getLatLng()] : [handle.getLatLng()])) {
        handle.setLatLng(place);
      }
    });
  }

  // ---- drawing a box: by dragging, or by two clicks ------------------------------------------------

  #startDrawing() {
    this.#setDrawing(true);
  }

  #stopDrawing() {
    this.#setDrawing(false);
    this.#forgetCorner();
  }

  #forgetCorner() {
    this.#rubber?.remove();
    this.#first = this.#pressed = this.#rubber = null;
  }

  #setDrawing(isDrawing) {
    this.#isDrawing = isDrawing;
    this.#button.setAttribute('aria-pressed', String(isDrawing));
    // The next press obeys the option.
    this.#map.options.dragging = !isDrawing;
    this.#map.getContainer().classList.toggle('drawing', isDrawing);
  }

  #press(event) {
    if (!this.#isDrawing || event.button !== 0 || event.target.closest('.leaflet-control, .area-buttons, .handle')) {
      return;
    }
    if (!event.isPrimary) {
      // Two fingers move the map.
      this.#forgetCorner();
      return;
    }
    const place = this.#map.mouseEventToLatLng(event);
    this.#pressed = this.#first ? null : this.#map.mouseEventToContainerPoint(event);
    if (!this.#first) {
      this.#first = place;
      const icon = L.divIcon({ className: 'handle', iconSize: [18, 18] });
      this.#rubber = L.featureGroup([
        L.rectangle([place, place], { className: 'area', interactive: false }),
        L.marker(place, { keyboard: false, interactive: false, icon }),
      ]).addTo(this.#map);
    }
  }

  #stretch(event) {
    if (this.#first && event.isPrimary) {
      this.#rubber.getLayers()[0].setBounds(L.latLngBounds(this.#first, this.#map.mouseEventToLatLng(event)));
    }
  }

  #release(event) {
    if (!this.#first || !event.isPrimary) {
      return;
    }
    const way = this.#pressed?.distanceTo(this.#map.mouseEventToContainerPoint(event)) ?? Infinity;
    if (way > (event.pointerType === 'touch' ? TAP : CLICK)) {
      this.#draw([this.#first, this.#map.mouseEventToLatLng(event)]);
    }
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
    this.#stopDrawing();
    this.#onDraw(isBox ? [latitudes[0], west, latitudes[1], east] : [latitudes[0], west]);
    return true;
  }
}
