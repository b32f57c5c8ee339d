/** What each page needs besides its map: visits, links, forms, the search, formats and the time bar. */

export * from './links.js';
export * from './forms.js';
export * from './formats.js';
export * from './search.js';
export * from './time.js';
export * from './visits.js';
