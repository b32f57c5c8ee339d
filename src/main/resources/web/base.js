/**
 * What lies under the datasets of a map: tiles, or land and sea with an overview of the world. An earlier script
 * loads Leaflet.
 */

const { L } = window;

export const MAX_ZOOM = 18;
export const COPIES_OF_THE_WORLD = [-360, 0, 360];
/** From here on a map shows so little of the land that the overview says where it is. */
const ZOOM_OF_OVERVIEW = 5;
/** In pixels: the world at zoom 0 has 256. */
const OVERVIEW_SIZE = [128, 80];

let land = null;

/** The coordinates of the land. They are loaded once. */
function loadLand() {
  land ??= fetch(new URL('land.json', import.meta.url)).then(response => response.json()).catch(error => {
    // The next map tries again.
    land = null;
    throw error;
  });
  return land;
}

/** Continues a ring across the antimeridian, so that no line goes around the world. */
function unroll(ring) {
  let turns = 0;
  return ring.map(([longitude, latitude], i) => {
    const step = i > 0 ? longitude - ring[i - 1][0] : 0;
    turns -= Math.abs(step) > 180 ? Math.sign(step) : 0;
    return [longitude + turns * 360, latitude];
  });
}

async function addLand(map) {
  // Below the tiles.
  map.createPane('land').style.zIndex = 150;
  try {
    const { coordinates } = await loadLand();
    for (const degrees of COPIES_OF_THE_WORLD) {
      const points = ring => unroll(ring).map(([longitude, latitude]) => [latitude, longitude + degrees]);
      L.polygon(coordinates.map(polygon => polygon.map(points)), {
        pane: 'land', className: 'land', interactive: false, attribution: 'Land: Natural Earth',
        renderer: L.svg({ pane: 'land', padding: 0.5 }),
      }).addTo(map);
    }
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
      addLand(world);
      marker = L.circleMarker(map.getCenter(), { className: 'here', radius: 4, interactive: false }).addTo(world);
    }
    marker.setLatLng(map.getCenter().wrap());
  }
  map.on('moveend', update);
  map.on('unload', () => world?.remove());
  map.whenReady(update);
}

/**
 * Adds the base of a map.
 *
 * @param tiles template of the addresses of tiles, or undefined
 * @param attribution of the tiles, as text
 */
export function addBase(map, { tiles, attribution }) {
  /** Also takes the place of tiles that cannot be loaded. */
  function addWorld() {
    addLand(map);
    addOverview(map);
  }
  if (tiles) {
    L.tileLayer(tiles, { attribution: escape(attribution ?? ''), maxZoom: MAX_ZOOM }).once('tileerror', addWorld).addTo(map);
  } else {
    addWorld();
  }
}
