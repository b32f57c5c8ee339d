/** A map, and what lies under its datasets: tiles, or the ground and an overview. An earlier script loads Leaflet. */

import { EDGE } from './boxes.js';
import { addGround } from './ground.js';
import { followTextSize, numberInWords, sentence, textScale } from './sentences.js';

export const MAX_ZOOM = 18;
/** From here on a map shows so little of the land that the overview says where it is. */
const ZOOM_OF_OVERVIEW = 5;
/** In pixels. */
const OVERVIEW_SIZE = [128, 80];
/** In pixels. A lower map has no space for the overview beside its buttons. */
const HEIGHT_WITH_OVERVIEW = 240;

/** In pixels, the greatest width of the scale. */
const SCALE = 100;
/** The units of the scale, by their names in Leaflet. */
const UNITS = { m: 'meter', km: 'kilometer', ft: 'foot', mi: 'mile' };

/** In milliseconds, after the last finger has left the map. */
const HINT_STAYS = 1000;

function escape(text) {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** A small map of the world that marks the part that the map shows. */
function addOverview(map) {
  const control = L.control({ position: 'bottomleft' });
  control.onAdd = () => {
    const element = L.DomUtil.create('div', 'overview');
    element.setAttribute('aria-hidden', 'true');
    return element;
  };
  control.addTo(map);
  const element = control.getContainer();
  [element.style.width, element.style.height] = OVERVIEW_SIZE.map(pixels => `${pixels}px`);
  let world = null;
  let marker = null;
  function update() {
    element.hidden = map.getZoom() < ZOOM_OF_OVERVIEW || map.getSize().y < HEIGHT_WITH_OVERVIEW;
    if (element.hidden) {
      return;
    }
    if (!world) {
      world = L.map(element, {
        attributionControl: false, zoomControl: false, dragging: false, keyboard: false, scrollWheelZoom: false,
        doubleClickZoom: false, boxZoom: false, tapHold: false, touchZoom: false, zoomAnimation: false, fadeAnimation: false,
        zoomSnap: 0, minZoom: -2,
      }).setView([25, 0], -1);
      addGround(world, false);
      marker = L.circleMarker(map.getCenter(), { className: 'here', radius: 4, interactive: false }).addTo(world);
    }
    marker.setLatLng(map.getCenter().wrap());
  }
  let covering = null;
  /** Datasets are not covered. */
  function uncover() {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isCovered = [...map.getContainer().querySelectorAll('path.footprint, .count-circle')]
        .map(each => each.getBoundingClientRect())
        .some(each => each.left < right && each.right > left && each.top < bottom && each.bottom > top);
    element.classList.toggle('covers', isCovered);
  }
  map.on('moveend resize', update);
  map.on('moveend resize layeradd', () => {
    cancelAnimationFrame(covering);
    covering = requestAnimationFrame(uncover);
  });
  map.on('unload', () => world?.remove());
  map.whenReady(update);
}

/** Lets the reader choose pictures in place of the base map. Names of places stay above them. */
function offerSatellite(map, base, { satellite, satelliteAttribution }) {
  const pictures = tileLayer(satellite, satelliteAttribution);
  L.control.layers({ [sentence('map')]: base, [sentence('satellite')]: pictures }, {}, { collapsed: false }).addTo(map);
}

function tileLayer(address, attribution) {
  return L.tileLayer(address, { attribution: escape(attribution ?? ''), maxZoom: MAX_ZOOM });
}

/**
 * One finger scrolls the page, two fingers move the map. The mouse drags the map as before, also beside a touch screen. While
 * the option of the map forbids dragging, the mouse and one finger do something else on the map.
 */
function leaveOneFingerToThePage({ dragging, options }, element) {
  const hint = L.DomUtil.create('div', 'hint', element);
  hint.textContent = sentence('two_fingers');
  hint.setAttribute('aria-hidden', 'true');
  let hiding = null;
  // The event comes before those with which Leaflet begins to drag.
  element.addEventListener('pointerdown', ({ pointerType }) => {
    dragging[pointerType === 'touch' || !options.dragging ? 'disable' : 'enable']();
  }, true);
  element.addEventListener('touchmove', ({ touches }) => {
    clearTimeout(hiding);
    hint.classList.toggle('shown', touches.length === 1 && options.dragging);
  }, { passive: true });
  for (const end of ['touchend', 'touchcancel']) {
    element.addEventListener(end, () => {
      hiding = setTimeout(() => hint.classList.remove('shown'), HINT_STAYS);
    });
  }
}

/** A button of a map that is shown later. */
export function createButton(label, onClick) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = label;
  element.hidden = true;
  element.addEventListener('click', onClick);
  return element;
}

/** Makes a map of the world in an element, whose data name the base. */
export function createMap(element) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.hidden = false;
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', sentence('map'));
  const map = L.map(element, {
    zoomSnap: element.dataset.tiles || element.dataset.satellite ? 1 : 0.25, maxZoom: MAX_ZOOM, worldCopyJump: true,
    zoomAnimation: !isCalm, fadeAnimation: !isCalm, markerZoomAnimation: !isCalm, inertia: !isCalm,
    maxBounds: [[-EDGE, -300], [EDGE, 300]], maxBoundsViscosity: 1,
  }).setView([20, 0], 1);
  if (isCalm) {
    // Leaflet has no option for this.
    map.panBy = (offset, options) => L.Map.prototype.panBy.call(map, offset, { ...options, animate: false });
  }
  map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
  // What is drawn has no name. The cards say it, and the circles.
  map.getPane('overlayPane').setAttribute('aria-hidden', 'true');
  // The buttons come before what lies on the map, as they are seen, also for the keyboard.
  element.prepend(element.querySelector('.leaflet-control-container'));
  leaveOneFingerToThePage(map, element);
  addBase(map, element.dataset);
  addScale(map, element);
  followPrinting(map, element);
  return map;
}

/** Shows the scale of a map, with numbers and units as the reader writes them. */
function addScale(map, element) {
  const scale = L.control.scale({ maxWidth: SCALE * textScale() });
  // Leaflet has no option for this.
  scale._updateScale = (line, text, ratio) => {
    const [number, unit] = text.split(' ');
    const words = numberInWords(Number(number), { style: 'unit', unit: UNITS[unit] });
    L.Control.Scale.prototype._updateScale.call(scale, line, words, ratio);
  };
  scale.addTo(map);
  followTextSize(element, () => {
    scale.options.maxWidth = SCALE * textScale();
    map.fire('move');
  });
}

/** On paper a map has a size of its own, and shows what it shows in the window. */
function followPrinting(map, element) {
  let view = null;
  const follow = (event, change) => addEventListener(event, function listen() {
    if (element.isConnected) {
      change();
    } else {
      removeEventListener(event, listen);
    }
  });
  follow('beforeprint', () => {
    const [bounds, center, zoom, least] = [map.getBounds(), map.getCenter(), map.getZoom(), map.getMinZoom()];
    element.classList.add('on-paper');
    map.invalidateSize({ pan: false, debounceMoveend: true });
    if (!view) {
      view = { center, zoom, least };
      map.fitBounds(bounds, { animate: false });
    }
  });
  follow('afterprint', () => {
    element.classList.remove('on-paper');
    map.invalidateSize({ pan: false, debounceMoveend: true });
    map.setMinZoom(view.least);
    map.setView(view.center, view.zoom, { animate: false });
    view = null;
  });
}

/**
 * Adds the base of a map.
 *
 * @param options.tiles template of the addresses of tiles, or undefined
 * @param options.attribution of the tiles, as text
 * @param options.satellite template of the addresses of pictures that the reader can choose, or undefined
 * @param options.satelliteAttribution of the pictures, as text
 */
function addBase(map, options) {
  /** Also takes the place of tiles that cannot be loaded. */
  function addWorld() {
    addGround(map, true);
    addOverview(map);
  }
  const { tiles, attribution, satellite } = options;
  const base = tiles ? tileLayer(tiles, attribution).once('tileerror', addWorld) : L.layerGroup();
  base.addTo(map);
  if (!tiles) {
    addWorld();
  }
  if (satellite) {
    offerSatellite(map, base, options);
  }
}
