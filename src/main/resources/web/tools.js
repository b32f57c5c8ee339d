/** The buttons with which a reader draws on a map. An earlier script loads Leaflet. */

import { say, sentence } from './sentences.js';

/** What a reader draws, each with the icon, the label, the hint and what the keys do. */
const SHAPES = {
  box: ['M3 5h14v10H3z', sentence('draw_box'), sentence('hint_drawing_box'), sentence('keys_drawing_box')],
  polygon: ['M3 8l8-5 6 7-5 7-7-2z', sentence('draw_polygon'), sentence('hint_drawing_polygon'),
    sentence('keys_drawing_polygon')],
};

function iconOf(path) {
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  Object.entries({ width: 20, height: 20, 'aria-hidden': true }).forEach(([name, value]) => icon.setAttribute(name, value));
  Object.entries({ d: path, 'stroke-width': 1.5 }).forEach(([name, value]) => shape.setAttribute(name, value));
  icon.append(shape);
  return icon;
}

/**
 * Lets the reader draw an area.
 *
 * @param onDraw called with box or polygon, and the corners
 */
export function addDrawing(map, element, onDraw) {
  const control = L.control({ position: 'topright' });
  control.onAdd = () => L.DomUtil.create('div', 'leaflet-bar draw');
  control.addTo(map);
  const bar = control.getContainer();
  L.DomEvent.disableClickPropagation(bar);
  const hint = L.DomUtil.create('p', 'drawing-hint', element);
  hint.setAttribute('role', 'status');
  const keys = L.DomUtil.create('span', 'keys');
  const buttons = Object.entries(SHAPES).map(([kind, [icon, label]]) => {
    const button = L.DomUtil.create('button', '', bar);
    button.type = 'button';
    button.title = label;
    button.setAttribute('aria-label', label);
    button.append(iconOf(icon));
    button.addEventListener('click', () => toggle(kind));
    return [kind, button];
  });
  let drawing = null;
  const follow = () => {
    buttons.forEach(([kind, button]) => button.setAttribute('aria-pressed', String(drawing?.kind === kind)));
    const [text, ofKeys] = drawing?.kind ? SHAPES[drawing.kind].slice(2) : ['', ''];
    keys.textContent = ` ${ofKeys}`;
    hint.replaceChildren(text, keys);
    hint.hidden = !drawing?.kind;
  };
  const toggle = async kind => {
    try {
      const { Drawing } = await import('./draw.js');
      drawing ??= new Drawing(map, onDraw, follow);
    } catch {
      say(sentence('unreachable'), () => toggle(kind));
      return;
    }
    const isNew = drawing.kind !== kind;
    drawing.stop();
    if (isNew) {
      map.closePopup();
      drawing.start(kind);
    }
    follow();
  };
  follow();
}
