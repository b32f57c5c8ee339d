/** The footprints and pictures of the datasets of a page on its map, linked with their cards. An earlier script loads Leaflet. */

import { parseBox, shift } from './boxes.js';
import { sentence } from './sentences.js';

/** In pixels. A smaller footprint is a dot. */
const DOT = 10;
/** In pixels. A larger footprint is drawn as its picture. */
const PICTURE = 64;
/** In pixels, a map of this height has space for a list of datasets. */
const HEIGHT_OF_STACK = 300;

export class Footprints {

  #map;
  #element;
  #pictures;
  #layer;
  #cards = [];
  #boxes = [];
  /** Shapes on the map by the id of the dataset. */
  #shapes = new Map();
  /** The turns around the world of the footprints on the map, and the zoom. */
  #drawn = '';
  #opacity = 1;
  /** The tiles of the orthomosaic over the picture, or null. */
  #ortho = null;

  constructor(map, element) {
    this.#map = map;
    this.#element = element;
    const { style } = map.createPane('pictures');
    [style.zIndex, style.pointerEvents] = [390, 'none'];
    this.#pictures = L.layerGroup().addTo(map);
    this.#layer = L.featureGroup().addTo(map);
  }

  /** The boxes of the datasets of the page, each with its card if there are cards. */
  get boxes() {
    return this.#boxes;
  }

  /** Takes the datasets of the page, which are drawn later. */
  update(main) {
    this.#map.closePopup();
    this.#cards = [...main.querySelectorAll('li[data-box]')];
    const { box } = this.#element.dataset;
    // The page that compares two datasets has two boxes.
    const boxes = box
        ? box.split(' ').map((each, i) => ({ box: parseBox(each), name: i ? 'marked' : '' }))
        : this.#cards.map(card => ({ card, box: parseBox(card.dataset.box) }));
    this.#boxes = boxes.filter(each => each.box);
    this.#cards.forEach(card => this.#markWithCard(card));
    this.#drawn = '';
    this.#showOrtho();
    this.#followOpacity(main);
  }

  clear() {
    this.#layer.clearLayers();
  }

  #showOrtho() {
    this.#ortho?.remove();
    const { ortho } = this.#element.dataset;
    const options = { pane: 'pictures', bounds: this.#boxes[0]?.box, maxZoom: 24 };
    this.#ortho = ortho ? L.tileLayer(ortho, options).addTo(this.#map) : null;
  }

  /** The slider shows the ground under the picture. */
  #followOpacity(main) {
    const slider = main.querySelector('#opacity');
    if (slider) {
      const follow = () => {
        this.#opacity = Number(slider.value);
        this.#pictures.eachLayer(picture => picture.setOpacity(this.#opacity));
        this.#ortho?.setOpacity(this.#opacity);
      };
      slider.closest('[hidden]')?.removeAttribute('hidden');
      slider.addEventListener('input', follow);
      follow();
    }
  }

  /** Draws the footprints in the copy of the world that is nearest to the middle of the map. */
  draw() {
    const center = this.#map.getCenter().lng;
    const places = this.#boxes.map(each => ({ ...each, turn: 360 * Math.round((center - each.box.getCenter().lng) / 360) }));
    const drawn = [this.#map.getZoom(), ...places.map(({ turn }) => turn)].join();
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    this.#pictures.clearLayers();
    this.#layer.clearLayers();
    this.#shapes.clear();
    for (const { box, card, turn, name } of places) {
      // A fill would change the colours of the orthomosaic.
      const shape = this.#shape(shift(box, turn), this.#ortho ? `${name} pictured` : name).addTo(this.#layer);
      this.#addPicture(shape, card ? card.querySelector('img')?.src : this.#element.dataset.picture);
      if (card) {
        this.#shapes.set(card.dataset.id, [shape]);
        this.#linkWithCard(shape, card);
        // The listeners of a tooltip make a shape a tab stop. With the keyboard, the card is the way to the dataset.
        shape.getElement()?.setAttribute('tabindex', '-1');
      }
    }
  }

  /** Puts the picture of a dataset under its outline. Without a picture, the outline stays as it is. */
  #addPicture(shape, address) {
    const size = address && shape.getBounds && this.#sizeOf(shape.getBounds());
    const before = this.#element.querySelector('.before-map');
    if (!size || Math.max(size.x, size.y) < PICTURE) {
      before?.remove();
      return;
    }
    const options = { pane: 'pictures', opacity: this.#opacity, className: 'picture' };
    const picture = L.imageOverlay(address, shape.getBounds(), options);
    // What one does with the picture of a dataset is offered if the storage has it.
    const offer = isThere => document.querySelectorAll('.opacity, article.dataset a[download]').forEach(each => {
      each.hidden = !isThere && !(this.#ortho && each.matches('.opacity'));
    });
    picture.on('load', () => {
      before?.remove();
      shape.getElement()?.classList.add('pictured');
      offer(true);
    }).on('error', () => {
      before?.remove();
      picture.remove();
      offer(false);
    });
    picture.addTo(this.#pictures);
  }

  #sizeOf(box) {
    return this.#map.latLngToLayerPoint(box.getSouthEast()).subtract(this.#map.latLngToLayerPoint(box.getNorthWest()));
  }

  #shape(box, name = '') {
    const size = this.#sizeOf(box);
    return Math.max(size.x, size.y) < DOT
        ? L.circleMarker(box.getCenter(), { className: `footprint dot ${name}`, radius: DOT / 2 })
        : L.rectangle(box, { className: `footprint ${name}` });
  }

  #linkWithCard(group, card) {
    const name = document.createElement('span');
    name.textContent = card.querySelector('.name').textContent;
    group.bindTooltip(name, { sticky: true })
        .on('mouseover', () => this.#mark(card, true))
        .on('mouseout', () => this.#mark(card, false))
        .on('click', event => this.#openDataset(event, card));
  }

  /** Opens a dataset, or lists all datasets at the point, so that the reader chooses one. */
  #openDataset({ latlng }, card) {
    const point = this.#map.latLngToLayerPoint(latlng);
    const isThere = shape => shape.getBounds
        ? shape.getBounds().contains(latlng)
        : this.#map.latLngToLayerPoint(shape.getLatLng()).distanceTo(point) <= DOT;
    const here = this.#cards.filter(each => this.#shapes.get(each.dataset.id)?.some(isThere));
    if (here.length < 2) {
      card.querySelector('a').click();
      return;
    }
    const content = document.createElement('div');
    const list = document.createElement('ul');
    for (const each of here) {
      const link = document.createElement('a');
      link.href = each.querySelector('a').href;
      link.append(each.querySelector('.name').cloneNode(true), ' ', each.querySelector('time').cloneNode(true));
      const item = document.createElement('li');
      item.append(link);
      list.append(item);
    }
    content.append(sentence('stack', { count: here.length }), list);
    const maxHeight = Math.max(80, Math.min(HEIGHT_OF_STACK, this.#map.getSize().y - 60));
    L.popup({ className: 'stack', closeButton: false, maxHeight }).setLatLng(latlng).setContent(content).openOn(this.#map);
    list.querySelector('a').focus({ preventScroll: true });
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
}
