// Reads a box of the stored export for bench/files: the ids and names, with hyparquet, which skips groups of rows by the
// statistics of geometry_bbox. Prints the rows, the requests and the bytes that were fetched.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [tools, base, box] = process.argv.slice(2);
const { resolve } = createRequire(`${tools}/package.json`);
const { asyncBufferFromUrl, parquetReadObjects } = await import(pathToFileURL(resolve('hyparquet')));
const { compressors } = await import(pathToFileURL(resolve('hyparquet-compressors')));
const [west, south, east, north] = box.split(',').map(Number);

const { url } = await fetch(`${base}/exports/datasets.parquet`, { method: 'HEAD' });
let requests = 0;
let bytes = 0;
const counting = async (address, init) => {
  const response = await fetch(address, init);
  requests++;
  bytes += init?.method === 'HEAD' ? 0 : Number(response.headers.get('content-length'));
  return response;
};
const file = await asyncBufferFromUrl({ url, fetch: counting });
const rows = await parquetReadObjects({
  file,
  compressors,
  columns: ['id', 'dataset_name', 'geometry_bbox'],
  filter: {
    'geometry_bbox.xmin': { $lte: east }, 'geometry_bbox.xmax': { $gte: west },
    'geometry_bbox.ymin': { $lte: north }, 'geometry_bbox.ymax': { $gte: south },
  },
});
const { count } = await (await fetch(`${base}/api/dataset/?page_size=1&in_bbox=${box}`)).json();
// The boxes in the file cover these of the list.
if (rows.length < count || rows.length > 1.01 * count + 1) {
  throw new Error(`${rows.length} rows, and the list has ${count}`);
}
console.log(`box ${box}: ${rows.length} rows, ${requests} requests, ${bytes} bytes, `
  + `${(100 * bytes / file.byteLength).toFixed(2)} % of ${file.byteLength}`);
