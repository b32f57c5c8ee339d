/**
 * A map, and what lies under its datasets: tiles, or land and sea with an overview of the world. An earlier script loads
 * Leaflet.
 */

import { EDGE, cut } from './boxes.js';
import { Labels } from './labels.js';
import { followTextSize, sentence, textScale } from './sentences.js';

export const MAX_ZOOM = 18;
export const COPIES_OF_THE_WORLD = [-360, 0, 360];
/** From here on a map shows so little of the land that the overview says where it is. */
const ZOOM_OF_OVERVIEW = 5;
/** In pixels. */
const OVERVIEW_SIZE = [128, 80];
/** In pixels. A lower map has no space for the overview beside its buttons. */
const HEIGHT_WITH_OVERVIEW = 240;

/** In pixels, the greatest width of the scale. */
const SCALE = 100;

/** In milliseconds, after the last finger has left the map. */
const HINT_STAYS = 1000;

/** From this zoom on the finer ground is worth its bytes. */
const FINER = 4.5;
/** From this zoom on it is too coarse. */
const TOO_COARSE = 11;
/** In degrees, the width and the height of a part of the finer ground, and the parts around the world. */
const PART = 30;
const PARTS_AROUND = 360 / PART;
/** In pixels, at zoom 0. */
export const WORLD = 256;
/** Parts of such a pixel, in which the lines of the world are drawn. */
const PARTS = 64;
/** In degrees, the latitude at which the square world of the projection ends. */
const EDGE_OF_WORLD = 85.0511287798;

const files = new Map();

/** A file beside this one. It is loaded once. */
function load(name) {
  if (!files.has(name)) {
    const file = fetch(new URL(name, import.meta.url)).then(response => response.json()).then(decode);
    // The next map tries again.
    files.set(name, file.catch(error => {
      files.delete(name);
      throw error;
    }));
  }
  return files.get(name);
}

/** The bounds of lines tell which of them are near a view. Their points are made when they are drawn. */
function decode({ scale, land, lakes, borders, labels }) {
  const line = steps => {
    const bounds = [Infinity, Infinity, -Infinity, -Infinity];
    const place = [0, 0];
    steps.forEach((step, i) => {
      const axis = i % 2;
      place[axis] += step;
      bounds[axis] = Math.min(bounds[axis], place[axis] / scale);
      bounds[axis + 2] = Math.max(bounds[axis + 2], place[axis] / scale);
    });
    return { steps, scale, bounds };
  };
  return { land: land.map(line), lakes: lakes.map(line), borders: borders.map(line), labels };
}

/** The points of a line, each with its longitude and its latitude. */
function pointsOf({ steps, scale }) {
  const points = [];
  let [x, y] = [0, 0];
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    points.push([x / scale, y / scale]);
  }
  return points;
}

/** Whether the line from a point to the next one only closes a ring, along the edge of a part of the world, and is no coast. */
function isSeam(before, point) {
  return point.some((degrees, axis) => degrees === before[axis] && (degrees % PART === 0 || Math.abs(degrees) >= 179.99))
      || point[1] <= -89.9;
}

/** A line as the path of a drawing, in whole parts of a pixel. */
function pathOf(line, isCoast) {
  const pixels = PARTS * WORLD;
  let path = '';
  let before = null;
  for (const point of pointsOf(line)) {
    const [longitude, latitude] = point;
    const angle = Math.max(-EDGE_OF_WORLD, Math.min(EDGE_OF_WORLD, latitude)) * Math.PI / 180;
    const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
    const command = !before || isCoast && isSeam(before, point) ? 'M' : 'L';
    path += `${command}${Math.round((longitude / 360 + 0.5) * pixels)} ${Math.round(y * pixels)}`;
    before = point;
  }
  return path;
}

/** All lines of a file, in all copies of the world, as one picture: the browser scales it without a script. */
function picture({ land, lakes, borders }) {
  const create = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    return element;
  };
  // The names are classes of the style.
  const paths = Object.entries({ land, lake: lakes, coast: [...land, ...lakes], border: borders }).map(([name, lines]) =>
    create('path', { class: name, d: lines.map(line => pathOf(line, name === 'coast')).join('') }));
  const turns = COPIES_OF_THE_WORLD.map(degrees => degrees / 360);
  const size = PARTS * WORLD;
  const svg = create('svg', { viewBox: `${Math.min(...turns) * size} 0 ${turns.length * size} ${size}` });
  for (const turn of turns) {
    const copy = create('g', { transform: `translate(${turn * size})` });
    copy.append(...paths.map(path => path.cloneNode()));
    svg.append(copy);
  }
  const [west, east] = [Math.min(...COPIES_OF_THE_WORLD) - 180, Math.max(...COPIES_OF_THE_WORLD) + 180];
  const bounds = [[-EDGE_OF_WORLD, west], [EDGE_OF_WORLD, east]];
  return L.svgOverlay(svg, bounds, { pane: 'land', attribution: sentence('ground') });
}

/** The parts of a line in a box. Lines of continents are long. */
function linesIn(points, [west, south, east, north], isCoast) {
  const lines = [];
  for (let i = 1; i < points.length; i++) {
    const [before, point] = [points[i - 1], points[i]];
    const isOutside = Math.max(before[0], point[0]) < west || Math.min(before[0], point[0]) > east
        || Math.max(before[1], point[1]) < south || Math.min(before[1], point[1]) > north;
    if (!isOutside && !(isCoast && isSeam(before, point))) {
      if (lines.at(-1)?.at(-1) !== before) {
        lines.push([before]);
      }
      lines.at(-1).push(point);
    }
  }
  return lines;
}

/** The lines of a file near a view, as shapes: a picture of the whole world would be too large. */
function shapes({ land, lakes, borders }, view) {
  const options = { pane: 'land', interactive: false, renderer: L.svg({ pane: 'land', padding: 0.5 }) };
  const group = L.layerGroup();
  for (const degrees of COPIES_OF_THE_WORLD) {
    const box = [view.getWest() - degrees, view.getSouth(), view.getEast() - degrees, view.getNorth()];
    const near = lines => lines.filter(({ bounds: [west, south, east, north] }) =>
      west <= box[2] && east >= box[0] && south <= box[3] && north >= box[1]).map(pointsOf);
    const areas = rings => rings.map(ring => box.reduce((part, edge, i) => cut(part, i % 2, edge, i < 2 ? 1 : -1), ring))
        .filter(part => part.length > 2);
    const [landNear, lakesNear, bordersNear] = [land, lakes, borders].map(near);
    const draw = (lines, className, shape = L.polyline, more = {}) =>
      shape(lines.map(line => line.map(([x, y]) => [y, x + degrees])), { ...options, ...more, className }).addTo(group);
    // Also at sea, where nothing is drawn, the map says whose ground it is.
    draw(areas(landNear), 'land', L.polygon, { stroke: false, attribution: sentence('ground') });
    draw(areas(lakesNear), 'lake', L.polygon, { stroke: false });
    // The edge of a part of the world would be a line across a lake.
    draw([...landNear, ...lakesNear].flatMap(line => linesIn(line, box, true)), 'coast');
    draw(bordersNear.flatMap(line => linesIn(line, box, false)), 'border');
  }
  return group;
}

/** The edges of the parts of the finer ground that a view touches: west, south, east, north. The west may be below -180. */
function edges(view) {
  const [west, south, east, north] = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()]
    .map((edge, i) => PART * (i < 2 ? Math.floor(edge / PART) : Math.ceil(edge / PART)));
  return [west, Math.max(-90, south), east, Math.min(90, north)];
}

/** The parts of the finer ground in a box, as one file. */
async function loadParts([west, south, east, north]) {
  const names = [];
  for (let latitude = north; latitude > south; latitude -= PART) {
    for (let longitude = west; longitude < Math.min(east, west + 360); longitude += PART) {
      const column = ((longitude + 180) / PART % PARTS_AROUND + PARTS_AROUND) % PARTS_AROUND;
      names.push(`ground-${(90 - latitude) / PART * PARTS_AROUND + column}.json`);
    }
  }
  const parts = await Promise.all(names.map(load));
  return Object.fromEntries(['land', 'lakes', 'borders', 'labels'].map(key => [key, parts.flatMap(part => part[key])]));
}

/** Land, lakes and borders of the world, and finer ones of the view when it comes close. */
async function addGround(map, hasLabels) {
  const pane = map.createPane('land');
  // Below the tiles.
  pane.style.zIndex = 150;
  pane.setAttribute('aria-hidden', 'true');
  let shown = null;
  let isFine = false;
  let covered = null;
  const show = (layer, isFiner, bounds) => {
    shown?.remove();
    shown = layer.addTo(map);
    [isFine, covered] = [isFiner, bounds];
  };
  try {
    const world = await load('land.json');
    const labels = hasLabels && new Labels(map, world.labels);
    const update = async () => {
      const isFar = () => map.getZoom() < FINER;
      const isNear = () => !isFar() && map.getZoom() < TOO_COARSE;
      if (isFar()) {
        if (!shown || covered) {
          show(picture(world), false, null);
        }
        return;
      }
      const view = map.getBounds();
      if (isFine === isNear() && covered?.contains(view)) {
        return;
      }
      let bounds = view.pad(1);
      let file = world;
      if (isNear()) {
        const [west, south, east, north] = edges(view);
        try {
          file = await loadParts([west, south, east, north]);
          bounds = L.latLngBounds([Math.max(south, bounds.getSouth()), Math.max(west, bounds.getWest())],
            [Math.min(north, bounds.getNorth()), Math.min(east, bounds.getEast())]);
        } catch {
          // The coarser ground stays.
        }
      }
      if (!isFar() && map.getPane('land') && bounds.contains(map.getBounds())) {
        if (labels && file !== world) {
          labels.add(file.labels);
        }
        show(shapes(file, bounds), file !== world, bounds);
      }
    };
    map.on('moveend', update);
    await update();
  } catch {
    // The map shows the sea alone.
  }
}

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
  const scale = L.control.scale({ maxWidth: SCALE * textScale() }).addTo(map);
  followTextSize(element, () => {
    scale.options.maxWidth = SCALE * textScale();
    map.fire('move');
  });
  followPrinting(map, element);
  return map;
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
