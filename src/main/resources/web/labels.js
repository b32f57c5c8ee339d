/** The names of places on a map. An earlier script loads Leaflet. */

import { followTextSize, textScale } from './sentences.js';

/** Kinds of labels, in the order of the files. */
const LABELS = ['country', 'capital', 'city', 'state'];
/** In pixels, between two labels. */
const GAP = 6;
const LINE = 14;

/** The names of countries and cities. Each is drawn where no earlier one is. */
export class Labels {

  #map;
  #pane;
  /** Of the world, and all of a part of it. */
  #labels = [];
  #near = [];
  #context = document.createElement('canvas').getContext('2d');

  constructor(map) {
    this.#map = map;
    this.#pane = map.createPane('labels');
    this.#pane.classList.add('leaflet-zoom-hide');
    this.#pane.setAttribute('aria-hidden', 'true');
    this.#context.font = `12px ${getComputedStyle(map.getContainer()).fontFamily}`;
    map.on('moveend resize', () => this.#draw());
    followTextSize(map.getContainer(), () => this.#draw());
  }

  /** Shows the labels of the world. */
  show(labels) {
    this.#labels = labels;
    this.#draw();
  }

  /** Shows the labels of a part of the world. */
  showNear(labels) {
    this.#near = labels;
    this.#draw();
  }

  #draw() {
    const zoom = this.#map.getZoom() + 1;
    const size = this.#map.getSize();
    const center = this.#map.getCenter().lng;
    const scale = textScale();
    const line = scale * LINE;
    const taken = [];
    const drawn = [];
    const all = [...this.#labels, ...this.#near].sort((a, b) => a[3] - b[3]);
    for (const [name, longitude, latitude, from, kind] of all) {
      const turn = 360 * Math.round((center - longitude) / 360);
      const { x, y } = this.#map.latLngToContainerPoint([latitude, longitude + turn]);
      if (from > zoom || x < 0 || y < line || x > size.x || y > size.y - line) {
        continue;
      }
      const half = scale * this.#context.measureText(name).width / 2 + GAP;
      const box = [x - half, y - line / 2 - 2, x + half, y + line / 2 + 2];
      if (box[0] >= 0 && box[2] <= size.x && taken.every(other =>
        other[0] > box[2] || other[2] < box[0] || other[1] > box[3] || other[3] < box[1])) {
        taken.push(box);
        drawn.push(this.#label(name, LABELS[kind], [x, y]));
      }
    }
    this.#pane.replaceChildren(...drawn);
  }

  #label(name, kind, point) {
    const label = document.createElement('span');
    label.className = `label ${kind}`;
    label.textContent = name;
    L.DomUtil.setPosition(label, this.#map.containerPointToLayerPoint(point).round());
    return label;
  }
}
