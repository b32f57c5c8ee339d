/** The values of the form of a dataset: in its controls, as JSON of the API, and as text for readers. */

import { fillIn, say, sentence, sentenceOfJson } from './sentences.js';

/** The most characters of each text. */
const TEXTS = {
  dataset_name: 255, description: 5000, data_credits: 1000, data_captured_by: 255, institution_name: 255, location_name: 255,
  license: 100, citation: 1000, doi: 255,
};
const FLAGS = ['is_private', 'is_shareable'];
const MAX_TAGS = 50;
const MAX_TAG = 100;
const RASTERS = ['ortho', 'dsm', 'dtm', 'multispec_ortho'];
/** The numbers of a location, in the order of the API. */
const NUMBERS = { box: ['south', 'west', 'north', 'east'], point: ['latitude', 'longitude'], none: [] };
const FIELDS = ['dataset_name', 'category', 'captured_date', ...FLAGS, 'location', 'description', 'tags', 'data_credits',
  'data_captured_by', 'institution_name', 'location_name', 'license', 'citation', 'doi', 'rasters'];

let words = null;

/** A sentence of the form, with values in place of its parameters. */
export function text(name, values = {}) {
  words ??= JSON.parse(document.getElementById('words-of-form').textContent);
  return fillIn(words[name], values);
}

/** The values of a dataset of the API. A location is a box, a point, or empty. */
export function valuesOf(json) {
  const values = Object.fromEntries([...Object.keys(TEXTS), ...FLAGS].map(name => [name, json[name] ?? '']));
  values.description = values.description.replace(/\r\n?/g, '\n');
  values.data_credits = values.data_credits.replace(/\r\n?/g, '\n');
  values.citation = values.citation.replace(/\r\n?/g, '\n');
  return {
    ...values,
    category: [...json.category].sort(),
    captured_date: json.captured_date,
    tags: json.tags,
    rasters: json.rasters ?? {},
    location: json.bbox.length ? json.bbox : json.coordinates,
  };
}

/** Some of the values. */
export function pick(values, names) {
  return Object.fromEntries(names.map(name => [name, values[name]]));
}

/** The fields of a request that sets some values. The service takes the centre of a box as the coordinates. */
export function bodyOf(values, names = FIELDS) {
  const { location, ...others } = pick(values, names);
  if (!others.captured_date) {
    delete others.captured_date;
  }
  if (!location) {
    return others;
  }
  return { ...others, ...(location.length === 4 ? { bbox: location, coordinates: [] } : { bbox: [], coordinates: location }) };
}

/** The names of the fields that differ. */
export function differing(values, others) {
  return FIELDS.filter(name => JSON.stringify(values[name]) !== JSON.stringify(others[name]));
}

/** The values that the form has now. */
export function read({ elements }) {
  const values = Object.fromEntries(Object.keys(TEXTS).map(name => [name, elements[name].value]));
  FLAGS.forEach(name => {
    values[name] = elements[name].checked;
  });
  const [day, time] = ['captured_date', 'captured_time'].map(name => elements[name].value);
  return {
    ...values,
    category: [...elements.category].filter(({ checked }) => checked).map(box => box.value).sort(),
    // Without an hour it is the begin of the day in UTC, and the pages show the day alone.
    captured_date: day && `${day}T${time.length > 5 ? time : `${time || '00:00'}:00`}Z`,
    tags: elements.tags.value.split('\n').map(tag => tag.trim()).filter(Boolean),
    rasters: Object.fromEntries(
        RASTERS.map(name => [name, elements[`raster_${name}`].value.trim()]).filter(([, location]) => location)),
    location: NUMBERS[elements.kind.value].map(name => elements[name].valueAsNumber),
  };
}

/** Shows values in the form. */
export function fill({ elements }, values) {
  Object.keys(TEXTS).forEach(name => {
    elements[name].value = values[name];
  });
  FLAGS.forEach(name => {
    elements[name].checked = values[name];
  });
  elements.category.forEach(box => {
    box.checked = values.category.includes(box.value);
  });
  const [day, time] = values.captured_date.replace('Z', '').split('T');
  elements.captured_date.value = day;
  elements.captured_time.value = /^[0:.]+$/.test(time ?? '') ? '' : time ?? '';
  elements.tags.value = values.tags.join('\n');
  RASTERS.forEach(name => {
    elements[`raster_${name}`].value = values.rasters[name] ?? '';
  });
  elements.kind.value = Object.keys(NUMBERS).find(kind => NUMBERS[kind].length === values.location.length);
  fillLocation({ elements }, values.location);
}

/** The values of a dataset of the API as the form has them. The form stays as it is. */
export function valuesInForm(form, json) {
  const copy = form.cloneNode(true);
  fill(copy, valuesOf(json));
  return read(copy);
}

/** Shows a location in the fields of its kind. */
export function fillLocation({ elements }, location) {
  NUMBERS[elements.kind.value].forEach((name, i) => {
    elements[name].value = location[i];
  });
}

/** Why a location cannot be saved, or null. */
export function refusalOf(location) {
  if (location.some(Number.isNaN)) {
    return text('no_numbers');
  }
  if (location.some((degrees, i) => Math.abs(degrees) > (i % 2 ? 180 : 90))) {
    return text('out_of_range');
  }
  if (location.length < 4) {
    return null;
  }
  const [south, west, north, east] = location;
  if (south > north) {
    return text('wrong_order');
  }
  if (west > east) {
    return text('crosses_antimeridian');
  }
  return south === north || west === east ? text('no_area') : null;
}

/**
 * A sentence for each field whose value cannot be saved, by the name of the field.
 *
 * @param stored the values that the service has, or null; a location of the service itself stays
 */
export function check(form, values, stored) {
  const wrong = new Map();
  const length = value => [...value].length;
  Object.entries(TEXTS).filter(([name, limit]) => length(values[name]) > limit)
      .forEach(([name, limit]) => wrong.set(name, text('too_long', { limit, length: length(values[name]) })));
  if (values.tags.length > MAX_TAGS || values.tags.some(tag => length(tag) > MAX_TAG)) {
    wrong.set('tags', text('too_many_tags', { limit: MAX_TAGS, length: MAX_TAG }));
  }
  if (values.category.length === 0) {
    wrong.set('category', text('no_category'));
  }
  const { captured_date: day, captured_time: time } = form.elements;
  const isWrong = !day.validity.valid || !time.validity.valid;
  // The service takes the moment at which a draft is made.
  const mayLack = values.location.length === 0 && !stored?.captured_date && !time.value;
  if (isWrong || (!values.captured_date && !mayLack)) {
    wrong.set('captured_date', text(isWrong ? 'wrong_date' : 'no_date'));
  }
  const refusal = refusalOf(values.location);
  if (refusal && (!stored || differing(values, stored).includes('location'))) {
    wrong.set('location', refusal);
  }
  return wrong;
}

/** Shows the reason of a refusal at a field; null for none. A part of it may be English, as the service writes it. */
export function showError(form, name, reason, english = '') {
  const part = form.querySelector(`[data-field=${name}]`);
  const place = part.querySelector(`#error-${name}`);
  place.textContent = reason ?? '';
  if (english) {
    const original = document.createElement('span');
    [original.lang, original.dir, original.textContent] = ['en', 'ltr', english];
    place.append(' ', original);
  }
  part.querySelectorAll('input, textarea').forEach(field => {
    if (reason) {
      field.setAttribute('aria-invalid', 'true');
    } else {
      field.removeAttribute('aria-invalid');
    }
  });
}

/** Shows all errors, and moves the focus to the first one. Returns whether there are any. */
export function showErrors(form, wrong) {
  form.querySelectorAll('[data-field]:has(.error)').forEach(({ dataset: { field } }) => {
    const [reason, english] = [wrong.get(field) ?? null].flat();
    showError(form, field, reason, english);
  });
  const first = [...form.querySelectorAll('[aria-invalid]')].find(field => field.offsetParent);
  if (wrong.size > 0) {
    say(text('wrong'));
    first?.focus();
  }
  return wrong.size > 0;
}

/** The names that the form has for a field of an error response, each with its errors. */
function inForm([name, reasons]) {
  return name === 'rasters' && !Array.isArray(reasons)
      ? Object.entries(reasons).map(([raster, each]) => [`raster_${raster}`, each])
      : [[['bbox', 'coordinates'].includes(name) ? 'location' : name, reasons]];
}

/** Shows what the service has refused. Errors of no field are a sentence of the page. */
function showRefused(form, json) {
  const wrong = new Map();
  const others = {};
  for (const [field, reasons] of Object.entries(json).flatMap(inForm)) {
    // The errors of a list have the index of its item as their name.
    const english = typeof reasons === 'string' ? reasons : Object.values(reasons).flat().join(' ');
    if (form.querySelector(`[data-field="${CSS.escape(field)}"] .error`)) {
      wrong.set(field, [text('refused_value'), english]);
    } else {
      others[field] = english;
    }
  }
  if (!showErrors(form, wrong)) {
    say(text('refused', { reason: sentenceOfJson(others) }));
  }
}

export function askToSignIn() {
  say(text('sign_in_again'), () => document.getElementById('sign-in').click(), sentence('sign_in'));
}

/** Says why something was not possible. Nothing that the reader has written is lost. */
export async function explain(form, response, again) {
  const json = await response.json().catch(() => ({}));
  const { status } = response;
  if (status === 400) {
    showRefused(form, json);
  } else if (status === 401) {
    askToSignIn();
  } else if (status === 403) {
    say(text('not_allowed'));
  } else if (status === 404) {
    say(text('gone'));
  } else if (status === 429) {
    say(text('too_often', { seconds: response.headers.get('Retry-After') ?? 1 }), again);
  } else if (status >= 500) {
    say(text('busy'), again);
  } else {
    say(text('refused', { reason: sentenceOfJson(json) }));
  }
}

/** A value in the words of readers. */
export function display(form, name, value) {
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 6 });
  const names = {
    category: () => value.map(
        each => form.querySelector(`[name=category][value="${each}"]`)?.parentElement.textContent.trim() ?? each),
    rasters: () => Object.entries(value).map(
        ([raster, location]) => `${form.elements[`raster_${raster}`].labels[0].textContent.trim()}: ${location}`),
    captured_date: () => [value.replace('T', ' ').replace('Z', ' UTC')],
    location: () => value.map((degrees, i) => {
      const [label] = form.elements[NUMBERS[value.length === 4 ? 'box' : 'point'][i]].labels;
      return `${label.textContent.trim()}: ${number.format(degrees)}`;
    }),
  };
  const shown = typeof value === 'boolean' ? text(value ? 'yes' : 'no') : [names[name]?.() ?? value].flat().join('; ');
  return shown || text('empty');
}
