/**
 * A map, and what lies under its datasets: tiles, or land and sea with an overview of the world. An earlier script loads
 * Leaflet.
 */

import { EDGE } from './boxes.js';
import { Labels } from './labels.js';
import { sentence } from './sentences.js';

const { L } = window;

export const MAX_ZOOM = 18;
export const COPIES_OF_THE_WORLD = [-360, 0, 360];
/** From here on a map shows so little of the land that the overview says where it is. */
const ZOOM_OF_OVERVIEW = 5;
/** In pixels: the world at zoom 0 has 256. */
const OVERVIEW_SIZE = [128, 80];

/** In milliseconds, after the last finger has left the map. */
const HINT_STAYS = 1000;

/** From here on the finer ground is worth its bytes, and from the other on it is too coarse. */
const ZOOMS_OF_GROUND = [4.5, 11];

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

/** Makes points of the steps of lines. The bounds tell which lines are near the view. */
function decode({ scale, land, lakes, borders, labels }) {
  const line = steps => {
    const points = [];
    let [x, y] = [0, 0];
    for (let i = 0; i < steps.length; i += 2) {
      x += steps[i];
      y += steps[i + 1];
      points.push(L.latLng(y / scale, x / scale));
    }
    return { points, bounds: L.latLngBounds(points) };
  };
  return { land: land.map(line), lakes: lakes.map(line), borders: borders.map(line), labels };
}

/** The parts of a ring that are a coast. The edges along the antimeridian only close the ring. */
function coasts({ points }) {
  const parts = [[]];
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before && Math.abs(point.lng) >= 179.99 && before.lng === point.lng || point.lat <= -89.9) {
      parts.push([]);
    }
    parts.at(-1).push(point);
  });
  return parts.filter(part => part.length > 1);
}

/** The lines of a file near a view, as shapes. Without a view, all of them, in all copies of the world. */
function shapes({ land, lakes, borders }, view = null) {
  const options = { pane: 'land', interactive: false, renderer: null };
  const group = L.layerGroup();
  options.renderer = L.svg({ pane: 'land', padding: 0.5 });
  for (const degrees of COPIES_OF_THE_WORLD) {
    const moved = points => points.map(({ lat, lng }) => [lat, lng + degrees]);
    const isNear = ({ bounds }) => !view || view.intersects(
        [[bounds.getSouth(), bounds.getWest() + degrees], [bounds.getNorth(), bounds.getEast() + degrees]]);
    const [near, wet, lines] = [land, lakes, borders].map(each => each.filter(isNear));
    if (near.length) {
      L.polygon(near.map(({ points }) => moved(points)), {
        ...options, className: 'land', stroke: false, attribution: sentence('ground'),
      }).addTo(group);
    }
    L.polyline(near.flatMap(coasts).map(moved), { ...options, className: 'coast' }).addTo(group);
    L.polygon(wet.map(({ points }) => moved(points)), { ...options, className: 'lake' }).addTo(group);
    L.polyline(lines.map(({ points }) => moved(points)), { ...options, className: 'border' }).addTo(group);
  }
  return group;
}

/** Land, lakes and borders of the world, at once, and finer ones of the view when one comes close. */
async function addGround(map, hasLabels) {
  // Below the tiles.
  map.createPane('land').style.zIndex = 150;
  try {
    const world = await load('land.json');
    let shown = shapes(world).addTo(map);
    const show = next => {
      shown.remove();
      shown = next.addTo(map);
    };
    if (hasLabels) {
      const labels = new Labels(map, world.labels);
      refine(map, labels, { show, showWorld: () => show(shapes(world)) });
    }
  } catch {
    // The map shows the sea alone.
  }
}

function refine(map, labels, { show, showWorld }) {
  let covered = null;
  const update = async () => {
    const [from, to] = ZOOMS_OF_GROUND;
    const isNear = () => map.getZoom() >= from && map.getZoom() < to;
    if (!isNear()) {
      if (covered && map.getZoom() < from) {
        covered = null;
        showWorld();
      }
      return;
    }
    try {
      const ground = await load('ground.json');
      labels.add(ground.labels);
      const view = map.getBounds();
      if (isNear() && map.getPane('land') && !covered?.contains(view)) {
        covered = view.pad(1);
        show(shapes(ground, covered));
      }
    } catch {
      // The coarse ground stays.
    }
  };
  map.on('moveend', update);
  update();
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
    element.hidden = map.getZoom() < ZOOM_OF_OVERVIEW;
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
  map.on('moveend', update);
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

/** One finger scrolls the page, two fingers move the map. The mouse drags the map as before, also beside a touch screen. */
function leaveOneFingerToThePage({ dragging }, element) {
  const hint = L.DomUtil.create('div', 'hint', element);
  hint.textContent = sentence('two_fingers');
  hint.setAttribute('aria-hidden', 'true');
  let hiding = null;
  // The event comes before those with which Leaflet begins to drag.
  element.addEventListener('pointerdown', ({ pointerType }) => {
    dragging[pointerType === 'touch' ? 'disable' : 'enable']();
  }, true);
  element.addEventListener('touchmove', ({ touches }) => {
    clearTimeout(hiding);
    hint.classList.toggle('shown', touches.length === 1);
  }, { passive: true });
  for (const end of ['touchend', 'touchcancel']) {
    element.addEventListener(end, () => {
      hiding = setTimeout(() => hint.classList.remove('shown'), HINT_STAYS);
    });
  }
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
  leaveOneFingerToThePage(map, element);
  addBase(map, element.dataset);
  L.control.scale().addTo(map);
  return map;
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
