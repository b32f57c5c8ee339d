/** Draws a box or a polygon on a map: by dragging, by clicks or taps, or with the keyboard. An earlier script loads Leaflet. */

/** In pixels. A shorter way of the mouse is a click, and a shorter way of a finger is a tap. */
const CLICK = 5;
const TAP = 12;
/** The service accepts more. */
const MAX_CORNERS = 100;
const CONTROLS = '.leaflet-control, .area-buttons, .handle:not(.corner)';

export class Drawing {

  #map;
  #onDraw;
  #onEnd;
  #kind = null;
  #corners = [];
  #shapes;

  /**
   * @param onDraw called with the kind and the corners: two of a box, at least three of a polygon
   * @param onEnd called at the end of drawing, also without a shape
   */
  constructor(map, onDraw, onEnd) {
    this.#map = map;
    this.#onDraw = onDraw;
    this.#onEnd = onEnd;
    this.#shapes = L.featureGroup().addTo(map);
    const element = map.getContainer();
    // Leaflet has no events of a finger that moves.
    element.addEventListener('pointerdown', event => this.#press(event));
    element.addEventListener('pointermove', event => this.#stretch(event));
    element.addEventListener('pointerup', event => this.#release(event));
    element.addEventListener('pointercancel', () => this.#kind === 'box' && this.#forget());
    element.addEventListener('keydown', event => this.#type(event));
    map.on('click', ({ latlng }) => this.#kind === 'polygon' && this.#add(latlng));
  }

  /** The kind of the shape that is being drawn, or null. */
  get kind() {
    return this.#kind;
  }

  /** @param kind box or polygon */
  start(kind) {
    this.#set(kind);
  }

  stop() {
    if (this.#kind) {
      this.#set(null);
      this.#onEnd();
    }
  }

  #set(kind) {
    this.#forget();
    this.#kind = kind;
    // A box is drawn by dragging. The next press obeys the option.
    this.#map.options.dragging = kind !== 'box';
    this.#map.doubleClickZoom[kind ? 'disable' : 'enable']();
    this.#map.getContainer().classList.toggle('drawing', kind !== null);
  }

  #forget() {
    this.#corners = [];
    this.#shapes.clearLayers();
  }

  #complete(corners) {
    const kind = this.#kind;
    this.stop();
    this.#onDraw(kind, corners);
  }

  /** Shows the corners, and the shape that they would have with the place of the pointer. */
  #show(place) {
    this.#shapes.clearLayers();
    const options = { className: 'area', interactive: false };
    const shape = this.#kind === 'box'
        ? L.rectangle([this.#corners[0], place], options)
        : L.polygon([...this.#corners, place], options);
    shape.addTo(this.#shapes);
    for (const corner of this.#corners) {
      const icon = L.divIcon({ className: 'handle corner', iconSize: [18, 18] });
      L.marker(corner, { keyboard: false, interactive: false, icon }).addTo(this.#shapes);
    }
  }

  // ---- a box ------------------------------------------------------------------------------------

  #press(event) {
    if (this.#kind !== 'box' || event.button !== 0 || event.target.closest(CONTROLS)) {
      return;
    }
    if (!event.isPrimary) {
      // Two fingers move the map.
      this.#forget();
      return;
    }
    if (this.#corners.length === 0) {
      this.#corners = [this.#map.mouseEventToLatLng(event)];
      this.#show(this.#corners[0]);
    }
  }

  #stretch(event) {
    if (this.#corners.length > 0 && event.isPrimary) {
      this.#show(this.#map.mouseEventToLatLng(event));
    }
  }

  #release(event) {
    if (this.#kind !== 'box' || this.#corners.length === 0 || !event.isPrimary) {
      return;
    }
    const [corner] = this.#corners;
    const place = this.#map.mouseEventToLatLng(event);
    const way = this.#map.latLngToLayerPoint(corner).distanceTo(this.#map.latLngToLayerPoint(place));
    if (way > (event.pointerType === 'touch' ? TAP : CLICK)) {
      this.#complete([corner, place]);
    }
  }

  // ---- a polygon, and the keyboard --------------------------------------------------------------

  /** The first corner again ends a polygon, and so does a second click at the last corner. */
  #add(place) {
    const isNear = corner => corner
        && this.#map.latLngToLayerPoint(corner).distanceTo(this.#map.latLngToLayerPoint(place)) <= TAP;
    const isEnd = this.#kind === 'polygon' && this.#corners.length > 2
        && (isNear(this.#corners[0]) || isNear(this.#corners.at(-1)));
    if (isEnd || this.#corners.length === MAX_CORNERS) {
      this.#complete(this.#corners);
    } else if (!isNear(this.#corners.at(-1))) {
      this.#corners.push(place);
      if (this.#kind === 'box' && this.#corners.length === 2) {
        this.#complete(this.#corners);
      } else {
        this.#show(place);
      }
    }
  }

  /** The arrow keys move the map, and the space key sets a corner in its middle. */
  #type(event) {
    if (!this.#kind) {
      return;
    }
    if (event.key === 'Escape') {
      this.stop();
    } else if (event.target !== this.#map.getContainer()) {
      return;
    } else if (event.key === ' ') {
      this.#add(this.#map.getCenter());
    } else if (event.key === 'Enter' && this.#corners.length > 2) {
      this.#complete(this.#corners);
    } else {
      return;
    }
    event.preventDefault();
  }
}
