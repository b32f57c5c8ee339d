/** Land, lakes, borders and their labels below the datasets of a map, from files of this folder. */

import { cut } from './boxes.js';
import { Labels } from './labels.js';
import { pause, sentence } from './sentences.js';

export const COPIES_OF_THE_WORLD = [-360, 0, 360];
/** From this zoom on the finer ground is worth its bytes. */
const FINER = 4.5;
/** From this zoom on it is too coarse. */
const TOO_COARSE = 11;
/** In degrees, the width and the height of a part of the finer ground, and the parts around the world. */
const PART = Number(document.body.dataset.partOfGround);
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
export function addGround(map, hasLabels) {
  const pane = map.createPane('land');
  // Below the tiles.
  pane.style.zIndex = 150;
  pane.setAttribute('aria-hidden', 'true');
  let shown = null;
  let isFine = false;
  let covered = null;
  const show = (layer, names, isFiner, bounds) => {
    shown?.remove();
    shown = layer.addTo(map);
    [isFine, covered] = [isFiner, bounds];
    if (isFiner) {
      labels?.showNear(names);
    } else {
      labels?.show(names);
    }
  };
  const labels = hasLabels ? new Labels(map) : null;
  const isFar = () => map.getZoom() < FINER;
  const isNear = () => !isFar() && map.getZoom() < TOO_COARSE;
  const update = async () => {
    const view = map.getBounds();
    const wasFar = isFar();
    if (wasFar ? shown && !covered : isFine === isNear() && covered?.contains(view)) {
      return;
    }
    let bounds = view.pad(1);
    let file = null;
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
    const isFiner = file !== null;
    file ??= await load('land.json');
    if (!map.getPane('land') || isFar() !== wasFar) {
      // The map is gone, or its next movement shows another ground.
      return;
    }
    if (wasFar) {
      if (!shown || covered) {
        show(picture(file), file.labels, false, null);
      }
    } else if (bounds.contains(map.getBounds())) {
      show(shapes(file, bounds), file.labels, isFiner, bounds);
    }
  };
  // Without the files the map shows the sea alone.
  const attempt = () => update().catch(() => {});
  map.on('moveend', attempt);
  // The page shows an area at once. Its map needs no file of the world, which it shows before.
  pause().then(pause).then(attempt);
}
