// Runs Lighthouse for bench/pages, and serves a small picture at every address of the storage.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [tools, base, picturesPort, times] = process.argv.slice(2);
const { resolve } = createRequire(`${tools}/package.json`);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(resolve('lighthouse')));
const { launch } = await import(pathToFileURL(resolve('chrome-launcher')));
const { default: puppeteer, PredefinedNetworkConditions } = await import(pathToFileURL(resolve('puppeteer-core')));

// As large as a page shows it on any screen.
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><rect width="1600" height="1200"/></svg>';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const FORMS = { phone: undefined, desktop: desktopConfig };

const median = numbers => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The bytes of the service without pictures, as they are sent. */
function ownBytes({ audits }) {
  return audits['network-requests'].details.items
    .filter(({ url, resourceType }) => url.startsWith(base) && resourceType !== 'Image')
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
}

async function withChrome(use) {
  const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
  try {
    return await use(chrome.port);
  } finally {
    await chrome.kill();
  }
}

const measure = (url, config) => withChrome(async port => {
  const { lhr } = await lighthouse(url, { port, logLevel: 'error', onlyCategories: CATEGORIES }, config);
  if (lhr.runtimeError) {
    throw new Error(`${url}: ${lhr.runtimeError.message}`);
  }
  return lhr;
});

/** When the text of a list is shown on a phone with an empty cache, and when its map has land and counts. In milliseconds. */
const waitForList = url => withChrome(async port => {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}` });
  const page = await browser.newPage();
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 3, isMobile: true, hasTouch: true });
  await page.emulateNetworkConditions(PredefinedNetworkConditions['Slow 4G']);
  await page.goto(url);
  const usable = await page.waitForFunction(
    () => document.querySelector('#map path.land') && !document.querySelector('#map[aria-busy]') && performance.now(),
  );
  const readable = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  return { readable, usable: await usable.jsonValue() };
});

const storage = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'max-age=3600' });
  response.end(PICTURE);
}).listen(Number(picturesPort), '127.0.0.1');

const { results: [{ id }] } = await (await fetch(`${base}/api/dataset/?page_size=1&ordering=-captured_date`)).json();
const pages = { list: '/datasets/', dataset: `/datasets/${id}/`, documentation: '/docs/', catalogue: '/stac?f=html' };
console.log('| Page | Performance | Accessibility | Best practices | SEO | Layout shift | Blocking, ms | Own KB |');
console.log('|---|---|---|---|---|---|---|---|');
const failed = new Set();
for (const [name, path] of Object.entries(pages)) {
  for (const [form, config] of Object.entries(FORMS)) {
    const runs = [];
    for (let i = 0; i < Number(times); i++) {
      runs.push(await measure(base + path, config));
    }
    const scores = CATEGORIES.map(category => median(runs.map(run => Math.round(100 * run.categories[category].score))));
    const shift = median(runs.map(run => run.audits['cumulative-layout-shift'].numericValue)).toFixed(3);
    const blocking = Math.round(median(runs.map(run => run.audits['total-blocking-time'].numericValue)));
    const kilobytes = Math.round(median(runs.map(ownBytes)) / 1000);
    console.log(`| ${name}, ${form} | ${scores.join(' | ')} | ${shift} | ${blocking} | ${kilobytes} |`);
    for (const category of CATEGORIES.slice(1)) {
      runs[0].categories[category].auditRefs.map(({ id: audit }) => runs[0].audits[audit])
        .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
        .forEach(audit => failed.add(`${name}, ${form}: ${audit.id}`));
    }
  }
}
const waits = [];
for (let i = 0; i < Number(times); i++) {
  waits.push(await waitForList(base + pages.list));
}
for (const name of ['readable', 'usable']) {
  console.log(`Slow 4G, phone: ${name} after ${(median(waits.map(wait => wait[name])) / 1000).toFixed(1)} s`);
}
failed.forEach(line => console.error(line));
storage.close();
