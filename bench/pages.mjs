// Runs Lighthouse for bench/pages, and serves pictures at the addresses of the storage.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const [tools, base, picturesPort, times] = process.argv.slice(2);
const { resolve } = createRequire(`${tools}/package.json`);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(resolve('lighthouse')));
const { launch } = await import(pathToFileURL(resolve('chrome-launcher')));
const { default: puppeteer, PredefinedNetworkConditions } = await import(pathToFileURL(resolve('puppeteer-core')));

const [WIDTH, HEIGHT] = [512, 384];

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  let crc = -1;
  for (const byte of body) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xEDB88320 : crc >>> 1;
    }
  }
  const ends = [Buffer.alloc(4), Buffer.alloc(4)];
  ends[0].writeUInt32BE(data.length);
  ends[1].writeInt32BE(~crc);
  return Buffer.concat([ends[0], body, ends[1]]);
}

/** A picture of some 50 KB, as thumbnails are: noise, so that it does not become smaller. */
function paint() {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(WIDTH);
  header.writeUInt32BE(HEIGHT, 4);
  let seed = 1;
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let i = 0; i < rows.length; i++) {
    seed = Math.imul(seed, 1664525) + 1013904223;
    rows[i] = i % (WIDTH + 1) ? 96 + 16 * (seed >>> 30) : 0;
  }
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))]);
}

const PICTURE = paint();
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** The names that the variable of the environment has, or all. */
const chosen = (variable, all) => Object.entries(all)
    .filter(([name]) => !process.env[variable] || process.env[variable].split(' ').includes(name));
const FORMS = chosen('FORMS', { phone: undefined, desktop: desktopConfig });

const median = numbers => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The requests to the service, without those to the storage of the pictures. */
function ownRequests({ audits }) {
  return audits['network-requests'].details.items.filter(({ url }) => url.startsWith(base));
}

/** The bytes of the service, as they are sent. */
function ownBytes(run) {
  return ownRequests(run).reduce((sum, { transferSize }) => sum + transferSize, 0);
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
  response.writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=3600' });
  response.end(PICTURE);
}).listen(Number(picturesPort), '127.0.0.1');

const { results: [{ id }] } = await (await fetch(`${base}/api/dataset/?page_size=1&ordering=-captured_date`)).json();
const pages = { list: '/datasets/', dataset: `/datasets/${id}/`, map: '/datasets/?in_bbox=-88,35,-84,38',
  documentation: '/docs/', catalogue: '/stac?f=html' };
console.log('| Page | Performance | Accessibility | Best practices | SEO | Layout shift | Blocking, ms |'
    + ' First text; largest part; speed index; main thread, s | Requests | KB |');
console.log('|---|---|---|---|---|---|---|---|---|---|');
const failed = new Set();
const speeds = [];
for (const [name, path] of chosen('PAGES', pages)) {
  for (const [form, config] of FORMS) {
    const runs = [];
    for (let i = 0; i < Number(times); i++) {
      runs.push(await measure(base + path, config));
    }
    speeds.push(...runs.map(run => run.environment.benchmarkIndex));
    const scores = CATEGORIES.map(category => median(runs.map(run => Math.round(100 * run.categories[category].score))));
    const shift = median(runs.map(run => run.audits['cumulative-layout-shift'].numericValue)).toFixed(3);
    const blocking = Math.round(median(runs.map(run => run.audits['total-blocking-time'].numericValue)));
    const seconds = ['first-contentful-paint', 'largest-contentful-paint', 'speed-index', 'mainthread-work-breakdown']
        .map(audit => (median(runs.map(run => run.audits[audit].numericValue)) / 1000).toFixed(1)).join('; ');
    const kilobytes = Math.round(median(runs.map(ownBytes)) / 1000);
    const requests = median(runs.map(run => ownRequests(run).length));
    const cells = [`${name}, ${form}`, ...scores, shift, blocking, seconds, requests, kilobytes];
    console.log(`| ${cells.join(' | ')} |`);
    for (const category of CATEGORIES.slice(1)) {
      runs[0].categories[category].auditRefs.map(({ id: audit }) => runs[0].audits[audit])
        .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
        .forEach(audit => failed.add(`${name}, ${form}: ${audit.id}`));
    }
  }
}
// Lighthouse slows the processor by four for a phone, whatever the machine: 1,500 to 2,000 are an ordinary laptop.
console.log(`Speed of this machine (benchmarkIndex of Lighthouse): ${Math.round(median(speeds))}`);
const waits = [];
for (let i = 0; i < Number(times); i++) {
  waits.push(await waitForList(base + pages.list));
}
for (const name of ['readable', 'usable']) {
  console.log(`Slow 4G, phone: ${name} after ${(median(waits.map(wait => wait[name])) / 1000).toFixed(1)} s`);
}
failed.forEach(line => console.error(line));
storage.close();
