/**
 * The time bar: dragging over the bars chooses from when to when, and so do the arrow keys. A click on a bar follows its link, as
 * on any other link of the page.
 */

import { localesOfPage } from './sentences.js';

const DAY = 86400000;
/** In pixels. A hand that clicks is not quite still. */
const DRAG = 4;
const KEY_PAUSE = 400;
const FIRST = 'captured_after';
const LAST = 'captured_until';
const FILTERS = [FIRST, LAST, 'captured_before'];

function plusDays(day, count) {
  const time = new Date(`${day}T00:00:00Z`);
  return new Date(time.getTime() + count * DAY).toISOString().slice(0, 10);
}

/** The first and the last day of the datasets of a link. */
function daysOf(link) {
  const { searchParams } = new URL(link.getAttribute('href'), location.href);
  return [searchParams.get(FIRST), searchParams.get(LAST)];
}

/** The days of all links together. */
function daysOfAll(links) {
  const days = links.flatMap(daysOf).sort();
  return [days[0], days.at(-1)];
}

/** The days in the form of the reader's country. */
function inWords([first, last]) {
  const format = new Intl.DateTimeFormat(localesOfPage(), { dateStyle: 'medium', timeZone: 'UTC' });
  return format.formatRange(...[first, last].map(day => new Date(`${day}T00:00:00Z`)));
}

export class TimeBar {

  #visits;
  #element = null;
  #starts = [];
  /** Where a drag began, in pixels. */
  #begin = null;
  #isDragging = false;
  /** The link from which Shift and the arrows widen, as its place among its neighbours. */
  #anchor = null;

  /** @param visits has visit(url, options) and plan(start, pause) */
  constructor(visits) {
    this.#visits = visits;
  }

  /** Adds a pointer and keys to the time bar of a page. */
  show(main) {
    const element = main.querySelector('#time');
    if (!element || element === this.#element) {
      return;
    }
    this.#element = element;
    this.#begin = null;
    this.#isDragging = false;
    this.#starts = element.dataset.starts.split(' ');
    this.readout = document.createElement('p');
    this.readout.setAttribute('aria-hidden', 'true');
    element.append(this.readout);
    this.range = element.querySelector('.range');
    this.drawn = ['x', 'width'].map(name => this.range.getAttribute(name));
    this.#makeOneTabStop();
    this.#follow(element.querySelector('svg'));
  }

  #links(name) {
    return [...this.#element.querySelectorAll(`a.${name}`)];
  }

  #makeOneTabStop(link = this.#element.querySelector('[aria-current]') ?? this.#links('bar').at(-1)) {
    this.#element.querySelectorAll('a').forEach(each => each.setAttribute('tabindex', each === link ? '0' : '-1'));
  }

  #follow(svg) {
    const follow = (name, handler) => svg.addEventListener(name, handler.bind(this));
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
      if (event.relatedTarget && !svg.contains(event.relatedTarget)) {
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
    const count = this.#starts.length - 1;
    const [from, to] = [this.#begin, event.clientX].sort((a, b) => a - b)
        .map(x => Math.max(0, Math.min(count - 1, Math.floor((x - box.left) / box.width * count))));
    return [this.#starts[from], plusDays(this.#starts[to + 1], -1)];
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
    const days = daysOfAll([row[Math.min(this.#anchor, end)], row[next]]);
    this.#draw(days);
    this.#plan(days);
  }

  #focus(link) {
    link.focus({ preventScroll: true });
  }

  /** The last link that begins before another one ends. */
  #nearest(links, other) {
    const [, last] = daysOf(other);
    return links.findLast(link => daysOf(link)[0] <= last) ?? links[0] ?? other;
  }

  // ---- the view -----------------------------------------------------------------------------------

  #draw(days) {
    const count = this.#starts.length - 1;
    const from = this.#starts.findLastIndex(start => start <= days[0]);
    const until = this.#starts.findIndex(start => start > days[1]);
    const [begin, end] = [Math.max(0, from), until < 0 ? count : until];
    this.range.setAttribute('x', `${100 * begin / count}%`);
    this.range.setAttribute('width', `${100 * (end - begin) / count}%`);
  }

  #plan(days) {
    this.#visits.plan(() => this.#visit(days), KEY_PAUSE);
  }

  /** @param days null for all */
  #visit(days) {
    const url = new URL(location.href);
    url.hash = '';
    ['p', ...FILTERS].forEach(name => url.searchParams.delete(name));
    if (days) {
      [FIRST, LAST].forEach((name, i) => url.searchParams.set(name, days[i]));
    }
    if (!this.#visits.isShown(url)) {
      this.#visits.visit(url, { stays: true });
    }
  }
}
