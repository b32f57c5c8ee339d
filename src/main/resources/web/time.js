/**
 * The time bar below the map: how many datasets were captured when, as bars that are links. Dragging over the bars chooses
 * from when to when, and so do the arrow keys. A click on a bar follows its link, as on any other link of the page. A day is
 * the number of days since 1970, in UTC.
 */

import { DAY } from './formats.js';
import { accountOfReader, request } from './session.js';
import { numberInWords, sentence, textScale, timeFormat } from './sentences.js';

/** In pixels. A hand that clicks is not quite still. */
const DRAG = 4;
const KEY_PAUSE = 400;
const FIRST = 'captured_after';
const LAST = 'captured_until';
const FILTERS = [FIRST, LAST, 'captured_before'];
/** What a filter takes. */
const [EARLIEST, LATEST] = ['0001-01-01', '9999-12-31'].map(dayOf);

const YEAR = { year: 'numeric' };
const MONTH = { month: 'long', ...YEAR };
/** The lengths of bars, and how their days are written. */
const STEPS = [
  { days: 1 }, { days: 7 }, { months: 1, format: MONTH }, { months: 3 }, { months: 12, format: YEAR },
  { months: 120, format: YEAR }, { months: 1200, format: YEAR },
];
/** The shortest bar for each interval of a histogram. */
const SHORTEST = { day: 0, month: 2, year: 4 };
const MAX_BARS = 120;
/** A few bars stand in the middle, and are not as broad as long. */
const MIN_BARS = 12;
/** Pixels, with one above the highest bar. */
const HEIGHT = 52;
/** Share of the place of a bar that the bar fills. */
const FILLED = 0.8;
const MAX_LABELS = 10;

function dayOf(text) {
  return Math.floor(Date.parse(text) / DAY);
}

function textOf(day) {
  return new Date(Math.max(EARLIEST, Math.min(LATEST, day)) * DAY).toISOString().slice(0, 10);
}

/** The number of the step that a day is in. Weeks begin with a Monday. */
function stepOf(day, { days, months }) {
  const time = new Date(day * DAY);
  return Math.floor(days ? (day + 3) / days : (time.getUTCFullYear() * 12 + time.getUTCMonth()) / months);
}

/** The first day of a step. */
function startOf(step, { days, months }) {
  return days ? step * days - 3 : new Date(0).setUTCFullYear(0, step * months, 1) / DAY;
}

/** Days in the form of the reader's country. */
function inWords(days, format = { dateStyle: 'medium' }) {
  return timeFormat({ ...format, timeZone: 'UTC' }).formatRange(...days.map(day => Date.parse(textOf(day))));
}

/** The address of the view with other days, or without days. */
function viewOf(days) {
  const url = new URL(location.href);
  url.hash = '';
  ['p', ...FILTERS].forEach(name => url.searchParams.delete(name));
  if (days) {
    [FIRST, LAST].forEach((name, i) => url.searchParams.set(name, textOf(days[i])));
  }
  return url;
}

function percent(share) {
  return `${Math.round(share * 100000) / 1000}%`;
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** The step of the bars of a histogram, and the bars from the first one with a dataset to the last one. */
function barsOf({ interval, buckets }) {
  const days = buckets.map(({ from }) => dayOf(from));
  const step = STEPS.slice(SHORTEST[interval])
      .find(each => stepOf(days.at(-1), each) - stepOf(days[0], each) < MAX_BARS);
  const [first, last] = [days[0], days.at(-1)].map(day => stepOf(day, step));
  const length = Math.max(MIN_BARS, last - first + 1);
  const begin = first - Math.floor((length - (last - first + 1)) / 2);
  const bars = Array.from({ length }, (_, i) => ({
    days: [startOf(begin + i, step), startOf(begin + i + 1, step) - 1], count: 0,
  }));
  buckets.forEach(({ count }, i) => {
    bars[stepOf(days[i], step) - begin].count += count;
  });
  return { step, bars };
}

export class TimeBar {

  #visits;
  #element = null;
  /** The histogram that is drawn: its reader and address, and its text. */
  #source = null;
  #text = null;
  #bars = [];
  /** The query of the view without days. */
  #query = '';
  /** The days of a link. */
  #days = new WeakMap();
  /** Where a drag began, in pixels. */
  #begin = null;
  #isDragging = false;
  /** The link from which Shift and the arrows widen, as its place among its neighbours. */
  #anchor = null;

  /** @param visits has visit(url, options) and plan(start, pause) */
  constructor(visits) {
    this.#visits = visits;
  }

  /** Draws the time bar of a page. The bars of the page before stay if only its time or its order differs. */
  async show(main) {
    const element = main.querySelector('#time');
    if (!element || element === this.#element) {
      return;
    }
    this.#element = element;
    const url = element.dataset.histogram;
    const key = `${accountOfReader()} ${url}`;
    if (key === this.#source) {
      this.#fill();
    }
    const text = await request(url, 'application/json').then(response => response.ok ? response.text() : null)
        .catch(() => null);
    if (element === this.#element && (key !== this.#source || text !== this.#text)) {
      [this.#source, this.#text] = [key, text];
      this.#fill();
    }
  }

  /** Draws the histogram. Without a choice there are no bars. */
  #fill() {
    const { step, bars } = this.#text ? barsOf(JSON.parse(this.#text)) : { bars: [] };
    if (bars.filter(({ count }) => count > 0).length < 2) {
      this.#element.remove();
      return;
    }
    const focus = [...this.#element.querySelectorAll('a')].indexOf(document.activeElement);
    this.#begin = null;
    this.#isDragging = false;
    this.#bars = bars;
    this.#query = viewOf(null).search;
    this.readout = document.createElement('p');
    this.readout.setAttribute('aria-hidden', 'true');
    this.range = svg('rect', { class: 'range', height: HEIGHT });
    const [first, last] = [...document.querySelectorAll('[aria-labelledby=facet-days] input')]
        .map(({ value }) => value.slice(0, 10));
    const chosen = first || last ? [first ? dayOf(first) : EARLIEST, last ? dayOf(last) : LATEST] : null;
    this.#draw(chosen);
    this.drawn = ['x', 'width'].map(name => this.range.getAttribute(name));
    const highest = Math.max(...bars.map(({ count }) => count));
    const drawing = svg('svg', { role: 'none' }, this.range,
        ...bars.flatMap((bar, i) => bar.count > 0 ? [this.#bar(bar, i, highest, step.format, chosen)] : []),
        ...this.#labels(step));
    this.#element.replaceChildren(drawing, this.readout);
    this.#makeOneTabStop();
    this.#follow(drawing);
    this.#element.querySelectorAll('a')[focus]?.focus({ preventScroll: true });
  }

  #bar({ days, count }, i, highest, format, chosen) {
    const width = percent(FILLED / this.#bars.length);
    const x = percent((i + (1 - FILLED) / 2) / this.#bars.length);
    // The smallest bar is visible, too.
    const height = Math.max(2, Math.round((HEIGHT - 1) * count / highest));
    const link = this.#link('bar', days, svg('rect', { class: 'place', x, width, height: HEIGHT }),
        svg('rect', { x, width, y: HEIGHT - height, height }));
    link.setAttribute('aria-label', sentence(count === 1 ? 'bar_one' : 'bar',
        { time: inWords(days, format), count: numberInWords(count) }));
    if (chosen && days[1] >= chosen[0] && days[0] <= chosen[1]) {
      link.setAttribute('aria-current', 'true');
    }
    return link;
  }

  /** The months below days, and otherwise the years, or some of the years. */
  #labels({ days }) {
    const scale = textScale();
    const [unit, format, width] = days === 1 ? [1, MONTH, 0.3 * scale] : [12, YEAR, 0.09 * scale];
    const [first, last] = [this.#bars[0].days[0], this.#bars.at(-1).days[1]];
    let months = unit;
    while (unit === 12 && stepOf(last, { months }) - stepOf(first, { months }) >= MAX_LABELS / scale) {
      months *= 2;
    }
    const labels = [];
    let next = 1;
    for (let step = stepOf(last, { months }); step >= stepOf(first, { months }); step--) {
      const start = startOf(step, { months });
      const place = this.#place(start);
      if (next - place >= width) {
        const shown = [start, startOf(stepOf(start, { months: unit }) + 1, { months: unit }) - 1];
        const text = svg('text', { x: percent(place), y: HEIGHT, dy: '1.27em' });
        text.textContent = inWords(shown, format);
        labels.unshift(this.#link('label', shown, text));
        next = place;
      }
    }
    return labels;
  }

  #link(name, days, ...children) {
    const [first, last] = days.map(textOf);
    const href = `${this.#query || '?'}${this.#query && '&'}${FIRST}=${first}&${LAST}=${last}`;
    const link = svg('a', { class: name, href, rel: 'nofollow' }, ...children);
    this.#days.set(link, days);
    return link;
  }

  /** The share of the width that is before a day. */
  #place(day) {
    const i = this.#bars.findIndex(({ days }) => day <= days[1]);
    const [first, last] = this.#bars[i]?.days ?? [];
    return i < 0 ? 1 : (i + Math.max(0, (day - first) / (last + 1 - first))) / this.#bars.length;
  }

  #links(name) {
    return [...this.#element.querySelectorAll(`a.${name}`)];
  }

  #makeOneTabStop(link = this.#element.querySelector('[aria-current]') ?? this.#links('bar').at(-1)) {
    this.#element.querySelectorAll('a').forEach(each => each.setAttribute('tabindex', each === link ? '0' : '-1'));
  }

  #follow(drawing) {
    const follow = (name, handler) => drawing.addEventListener(name, handler.bind(this));
    follow('pointerdown', this.#press);
    follow('pointermove', this.#move);
    follow('pointerup', this.#release);
    follow('pointercancel', this.#cancel);
    follow('keydown', this.#key);
    follow('dragstart', event => event.preventDefault());
    // A click does not move the focus to a link of a drawing.
    follow('click', event => event.target.closest('a')?.focus({ preventScroll: true }));
    for (const name of ['pointerover', 'focusin', 'pointerout', 'focusout']) {
      follow(name, event => this.#name(/over|in$/.test(name) ? event.target.closest('a.bar') : null));
    }
    follow('focusin', event => this.#makeOneTabStop(event.target));
    follow('focusout', event => {
      if (event.relatedTarget && !drawing.contains(event.relatedTarget)) {
        this.#anchor = null;
      }
    });
  }

  #name(link) {
    if (!this.#isDragging) {
      this.readout.textContent = link?.getAttribute('aria-label') ?? '';
    }
  }

  // ---- pointer ------------------------------------------------------------------------------------

  #press(event) {
    if (event.isPrimary && event.button === 0) {
      this.#begin = event.clientX;
    }
  }

  #move(event) {
    if (this.#begin !== null && !this.#isDragging && Math.abs(event.clientX - this.#begin) > DRAG) {
      this.#isDragging = true;
      // From now on the pointer may leave the bars. A click ends at the bars and not at a link.
      event.currentTarget.setPointerCapture(event.pointerId);
    }
    if (this.#isDragging) {
      const days = this.#daysTo(event);
      this.#draw(days);
      this.readout.textContent = inWords(days);
    }
  }

  #release(event) {
    const days = this.#isDragging ? this.#daysTo(event) : null;
    this.#begin = null;
    this.#isDragging = false;
    if (days) {
      this.#anchor = null;
      this.#visit(days);
    }
  }

  #cancel() {
    this.#begin = null;
    this.#isDragging = false;
    this.readout.textContent = '';
    ['x', 'width'].forEach((name, i) => this.range.setAttribute(name, this.drawn[i]));
  }

  /** The days of the bars between the begin of a drag and the pointer. */
  #daysTo(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const count = this.#bars.length;
    const [from, to] = [this.#begin, event.clientX].sort((a, b) => a - b)
        .map(x => this.#bars[Math.max(0, Math.min(count - 1, Math.floor((x - box.left) / box.width * count)))]);
    return [from.days[0], to.days[1]];
  }

  // ---- keys ---------------------------------------------------------------------------------------

  #key(event) {
    const link = event.target.closest('a');
    if (event.key === 'Escape' && this.#isDragging) {
      this.#cancel();
    } else if (event.key === 'Escape') {
      this.#plan(null);
    } else if (link && /^Arrow|^Home$|^End$/.test(event.key) && !(event.ctrlKey || event.metaKey || event.altKey)) {
      this.#go(link, event);
    } else {
      return;
    }
    event.preventDefault();
  }

  #go(link, { key, shiftKey }) {
    const isBar = link.matches('.bar');
    const row = this.#links(isBar ? 'bar' : 'label');
    const place = row.indexOf(link);
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      // Between the bars and the years below them.
      this.#focus(isBar === (key === 'ArrowDown') ? this.#nearest(this.#links(isBar ? 'label' : 'bar'), link) : link);
      this.#anchor = null;
      return;
    }
    const end = row.length - 1;
    const next = { ArrowLeft: Math.max(0, place - 1), ArrowRight: Math.min(end, place + 1), Home: 0, End: end }[key];
    this.#anchor = shiftKey ? this.#anchor ?? place : next;
    this.#focus(row[next]);
    const all = [row[Math.min(this.#anchor, end)], row[next]].map(each => this.#days.get(each));
    const days = [Math.min(...all.map(([first]) => first)), Math.max(...all.map(([, last]) => last))];
    this.#draw(days);
    this.#plan(days);
  }

  #focus(link) {
    link.focus({ preventScroll: true });
  }

  /** The last link that begins before another one ends. */
  #nearest(links, other) {
    const [, last] = this.#days.get(other);
    return links.findLast(link => this.#days.get(link)[0] <= last) ?? links[0] ?? other;
  }

  // ---- the view -----------------------------------------------------------------------------------

  /** @param days null for none */
  #draw(days) {
    const [begin, end] = days ? [this.#place(days[0]), this.#place(days[1] + 1)] : [0, 0];
    this.range.setAttribute('x', percent(begin));
    this.range.setAttribute('width', percent(Math.max(0, end - begin)));
  }

  #plan(days) {
    this.#visits.plan(() => this.#visit(days), KEY_PAUSE);
  }

  /** @param days null for all */
  #visit(days) {
    const url = viewOf(days);
    if (!this.#visits.isShown(url)) {
      this.#visits.visit(url, { stays: true });
    }
  }
}
