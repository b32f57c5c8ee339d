/** Circles on a map that say how many datasets lie where. An earlier script loads Leaflet. */

import { around, parseBox } from './boxes.js';
import { followTextSize, numberInWords, sentence, textScale } from './sentences.js';

/** In pixels. Circles are smaller on a narrower map. */
const NARROW = 450;
/** In pixels, between a count and the edge of its circle. */
const AROUND = 5;
/** Circles that overlap more than this part of their size become one. */
const OVERLAP = 0.15;

export class Circles {

  #map;
  #element;
  #showOne;
  #layer;
  #cells = [];
  #context = document.createElement('canvas').getContext('2d');

  /** @param showOne shows the dataset of a circle, whose box it gets as text */
  constructor(map, element, showOne) {
    this.#map = map;
    this.#element = element;
    this.#showOne = showOne;
    this.#layer = L.layerGroup().addTo(map);
    this.#context.font = `650 12px ${getComputedStyle(element).fontFamily}`;
    followTextSize(element, () => this.draw(this.#cells));
  }

  /** @param cells of the grid: those with more datasets than the map shows there */
  draw(cells) {
    this.#cells = cells;
    const hadFocus = document.activeElement?.matches('#map .count-circle');
    this.#layer.clearLayers();
    const inShort = count => numberInWords(count, { notation: 'compact' });
    const center = this.#map.getCenter().lng;
    const isNarrow = this.#map.getSize().x < NARROW;
    const scale = textScale();
    // The size follows the count, and a long text and large letters have space.
    const sizeOf = count => scale * Math.max(this.#context.measureText(inShort(count)).width + 2 * AROUND,
        (isNarrow ? 20 : 22) + (isNarrow ? 4 : 8) * Math.min(5, Math.log10(count)));
    // In the copy of the world in the middle of the view.
    const circles = cells.map(({ latitude, longitude, count, bbox }) => ({
      latitude, longitude: longitude + 360 * Math.round((center - longitude) / 360), count, bbox,
    }));
    for (const cell of this.#merge(circles, sizeOf)) {
      const text = inShort(cell.count);
      const size = sizeOf(cell.count);
      const label = document.createElement('span');
      label.textContent = text;
      // However close one zooms in, one dataset stays one circle.
      const isOne = cell.count === 1;
      const name = isOne
          ? sentence('circle_one')
          : sentence('circle', { count: numberInWords(cell.count) });
      // Speech control finds an element by its visible text.
      const spoken = isOne ? name : sentence('circle', { count: text });
      const marker = L.marker([cell.latitude, cell.longitude], {
        icon: L.divIcon({ className: 'count-circle', html: label, iconSize: [size, size] }), title: name, autoPanOnFocus: false,
      }).addTo(this.#layer);
      const box = cell.bbox.join();
      marker.on('click', () => isOne ? this.#showOne(box) : this.#map.fitBounds(around(cell.boxes)));
      marker.getElement().setAttribute('aria-label', spoken);
    }
    this.#makeOneTabStop(this.#layer.getLayers().map(marker => marker.getElement()));
    if (hadFocus) {
      (this.#element.querySelector('.count-circle') ?? this.#element).focus({ preventScroll: true });
    }
  }

  /** Makes one circle of those that overlap. Its count is their sum, its place their mean. */
  #merge(circles, sizeOf) {
    const merged = [];
    for (const circle of circles.sort((a, b) => b.count - a.count)) {
      const point = this.#map.latLngToLayerPoint([circle.latitude, circle.longitude]);
      const near = merged.find(other => other.point.distanceTo(point)
          < (sizeOf(other.count) + sizeOf(circle.count)) / 2 * (1 - OVERLAP));
      if (near) {
        const part = circle.count / (near.count + circle.count);
        near.latitude += (circle.latitude - near.latitude) * part;
        near.longitude += (circle.longitude - near.longitude) * part;
        near.count += circle.count;
        near.boxes.push(parseBox(circle.bbox.join()));
        near.point = this.#map.latLngToLayerPoint([near.latitude, near.longitude]);
      } else {
        merged.push({ ...circle, point, boxes: [parseBox(circle.bbox.join())] });
      }
    }
    return merged;
  }

  /** Makes buttons of the circles. The arrow keys lead from one to the next, because hundreds of tab stops would be a barrier. */
  #makeOneTabStop(circles) {
    circles.forEach((circle, i) => {
      circle.tabIndex = i ? -1 : 0;
      circle.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (event.key === 'Enter' || event.key === ' ') {
          circle.click();
        } else if (step) {
          const next = circles.at((i + step) % circles.length);
          circle.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        } else {
          return;
        }
        // The map would scroll the page or move.
        event.preventDefault();
        event.stopPropagation();
      });
    });
  }
}
