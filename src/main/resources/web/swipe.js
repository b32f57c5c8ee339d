/**
 * Compares the imagery of two datasets on one map: a slider moves the edge between them, unless they have too little in common.
 * An earlier script loads Leaflet.
 */

import { parseBox } from './boxes.js';

/** The imagery of a dataset: tiles of its orthomosaic, or its picture. */
function layerOf(address, bounds, pane) {
  return address.includes('{z}')
      // A layer of tiles has no size, so that the style of a picture would hide the tiles.
      ? L.tileLayer(address, { pane, bounds, maxZoom: 24 })
      : L.imageOverlay(address, bounds, { pane, className: 'picture' });
}

/** Shows the layers that the element of a map names, one on each side of the edge if there is one. */
export function addSwipe(map, element) {
  const boxes = element.dataset.box.split(' ').map(parseBox);
  const slider = element.parentElement.querySelector('.swipe input');
  const panes = element.dataset.layers.split(' ').map((address, i) => {
    const name = `side-${i}`;
    const pane = map.createPane(name);
    [pane.style.zIndex, pane.style.pointerEvents] = [390, 'none'];
    layerOf(address, boxes[i], name).addTo(map);
    return pane;
  });
  if (!slider) {
    return;
  }
  const all = L.latLngBounds(boxes[0].getSouthWest(), boxes[0].getNorthEast()).extend(boxes[1]);
  const cut = () => {
    const [from, to] = [[0, 0], map.getSize()].map(each => map.containerPointToLayerPoint(each));
    // The slider goes over the part of the view that has the datasets.
    const [first, last] = [all.getWest(), all.getEast()].map(
        degrees => Math.min(Math.max(map.latLngToLayerPoint([0, degrees]).x, from.x), to.x));
    const edge = first + (last - first) * slider.value;
    [[from.x, edge], [edge, to.x]].forEach(([left, right], i) => {
      panes[i].style.clipPath = `polygon(${[[left, from.y], [right, from.y], [right, to.y], [left, to.y]]
          .map(([x, y]) => `${x}px ${y}px`).join()})`;
    });
  };
  slider.closest('[hidden]').hidden = false;
  slider.addEventListener('input', cut);
  map.on('move zoom resize viewreset', cut);
  map.whenReady(cut);
}
