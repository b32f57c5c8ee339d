/**
 * Makes the pages quicker and nicer to use: links and forms replace only the content, the list follows the filters as one types,
 * and dates and numbers have the form of the reader's country. Each page also works without this script, the map apart.
 */

import { isSignedIn, offerSignIn } from './session.js';
import { reportSignIn } from './provider.js';
import { PageMap } from './map.js';
import { TimeBar } from './time.js';
import { Visits } from './visits.js';
import { followForms } from './forms.js';
import { followLinks } from './links.js';
import { format } from './formats.js';
import { say, sentence } from './sentences.js';
import { suggestWhileTyping } from './search.js';

const main = document.getElementById('content');
const visits = new Visits(main, complete);
const map = new PageMap(visits);
const timeBar = new TimeBar(visits);

/** Completes content that is new on the page. */
function complete(content) {
  format(content);
  content.querySelectorAll('img').forEach(hideBroken);
  map.show(content);
  timeBar.show(content);
  content.querySelectorAll('[data-module]').forEach(loadModule);
}

/** Loads the script of a part that only some pages have. */
async function loadModule(element) {
  const { show } = await import(element.dataset.module).catch(() => ({
    show: () => say(sentence('unreachable'), () => loadModule(element)),
  }));
  if (element.isConnected) {
    show(element, visits);
  }
}

/** Leaves the place of a picture that cannot be loaded to the quiet background. */
function hideBroken(image) {
  if (image.complete && image.naturalWidth === 0 && image.currentSrc) {
    image.classList.add('missing');
  }
}

/** Makes the addresses of the frame absolute: the frame stays while the address of the page changes, to which others refer. */
function fixAddresses() {
  document.querySelectorAll('header a, link[rel=icon]').forEach(link => {
    link.setAttribute('href', link.href);
  });
}

// The buttons of Leaflet have English titles.
window.L?.Control.Zoom.mergeOptions({ zoomInTitle: sentence('zoom_in'), zoomOutTitle: sentence('zoom_out') });
followLinks(visits);
followForms(visits);
suggestWhileTyping(visits);
// The event does not bubble.
document.addEventListener('error', event => event.target.matches?.('img') && hideBroken(event.target), true);
reportSignIn();
offerSignIn(summary => visits.showAgain(summary), () => visits.mayLeave());
fixAddresses();
complete(main);
if (isSignedIn()) {
  // The server has sent the public view.
  visits.showAgain();
}
