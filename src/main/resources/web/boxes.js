/** Bounds on a map and their texts. An earlier script loads Leaflet. */

/** Latitude at which the projection of the map ends. */
export const EDGE = 85;

/** The bounds of west,south,east,north, or null. East is above 180 for a box that crosses the antimeridian. */
export function parseBox(text) {
  const numbers = (text ?? '').split(',').map(Number);
  if (!text || numbers.length !== 4 || !numbers.every(Number.isFinite)) {
    return null;
  }
  const [west, south, east, north] = numbers;
  return L.latLngBounds([south, west], [north, east < west ? east + 360 : east]);
}

/** The bounds as a box, or null if they contain the whole world. */
export function boxOf(bounds) {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  if (width(bounds) >= 360) {
    return null;
  }
  const latitude = degrees => Math.abs(degrees) >= EDGE ? Math.sign(degrees) * 90 : degrees;
  const longitude = degrees => L.Util.wrapNum(degrees, [-180, 180], true);
  return [longitude(west), latitude(bounds.getSouth()), longitude(east), latitude(bounds.getNorth())]
      .map(degrees => Number(degrees.toFixed(4))).join();
}

export function shift(bounds, degrees) {
  const { lat: south, lng: west } = bounds.getSouthWest();
  const { lat: north, lng: east } = bounds.getNorthEast();
  return L.latLngBounds([south, west + degrees], [north, east + degrees]);
}

/** In degrees. Wider bounds are a view of the world, which is not turned for a few datasets near the antimeridian. */
const WORLD_VIEW = 270;

/** The rings of a geometry of an address, in well-known text or GeoJSON; none of another text. */
export function parseRings(text) {
  const ofJson = coordinates => Array.isArray(coordinates?.[0]?.[0])
      ? typeof coordinates[0][0] === 'number' ? [coordinates] : coordinates.flatMap(ofJson)
      : Array.isArray(coordinates?.[0]) ? [coordinates] : [];
  try {
    const rings = text.startsWith('{')
        ? ofJson(JSON.parse(text).coordinates)
        : [...text.matchAll(/\(([^()]+)\)/g)].map(([, ring]) => ring.split(',').map(place => place.trim().split(/\s+/)));
    return rings.map(ring => ring.map(([longitude, latitude]) => L.latLng(latitude, longitude)));
  } catch {
    // The list says that it cannot be used.
    return [];
  }
}

/** A polygon as well-known text. Beyond the antimeridian it has a second part. */
export function polygonOf(corners) {
  const turn = 360 * Math.round(L.latLngBounds(corners).getCenter().lng / 360);
  const ring = corners.map(({ lat, lng }) => [lng - turn, Math.max(-EDGE, Math.min(EDGE, lat))]);
  const parts = [[cut(cut(ring, 0, -180, 1), 0, 180, -1), 0], [cut(ring, 0, 180, 1), -360], [cut(ring, 0, -180, -1), 360]]
      .filter(([part]) => part.length > 2)
      .map(([part, degrees]) => [...part, part[0]].map(([x, y]) => `${Number((x + degrees).toFixed(4))} ${Number(y.toFixed(4))}`))
      .map(part => `((${part.join()}))`);
  return parts.length === 1 ? `POLYGON${parts[0]}` : `MULTIPOLYGON(${parts.join()})`;
}

/** The part of a ring where a coordinate of its points, 0 or 1, is at least (1) or at most (-1) an edge. */
export function cut(ring, axis, edge, side) {
  const isKept = point => side * (point[axis] - edge) >= 0;
  return ring.flatMap((point, i) => {
    const last = ring.at(i - 1);
    if (isKept(point) === isKept(last)) {
      return isKept(point) ? [point] : [];
    }
    const share = (edge - last[axis]) / (point[axis] - last[axis]);
    const crossing = last.map((from, each) => each === axis ? edge : from + (point[each] - from) * share);
    return isKept(point) ? [crossing, point] : [crossing];
  });
}

/** The same bounds in the copy of the world in which their centre is: a map does not leave it. */
function inTheWorld(bounds) {
  const { lng } = bounds.getCenter();
  return bounds.isValid() ? shift(bounds, L.Util.wrapNum(lng, [-180, 180], true) - lng) : bounds;
}

/** Bounds that are as wide as a view of the world become the world from west to east. */
export function whole(bounds) {
  return width(bounds) < WORLD_VIEW || bounds.getEast() <= 180
      ? inTheWorld(bounds)
      : L.latLngBounds([bounds.getSouth(), -180], [bounds.getNorth(), 180]);
}

/** The narrowest bounds around all boxes: they may cross the antimeridian. */
export function around(boxes) {
  const first = boxes[0]?.getCenter().lng;
  const nearFirst = boxes.map(box => shift(box, 360 * Math.round((first - box.getCenter().lng) / 360)));
  const [plain, crossing] = [boxes, nearFirst].map(each => each.reduce((all, box) => all.extend(box), L.latLngBounds([])));
  return crossing.isValid() && width(crossing) < Math.min(width(plain), WORLD_VIEW) ? inTheWorld(crossing) : plain;
}

function width(bounds) {
  return bounds.getEast() - bounds.getWest();
}
