// Validates the answer at an address with the library stac-node-validator, whose command fails on lists of objects (2.0.0).
// Arguments: the folder of the library's installation, the folder of the schemas, the address. Prints the result as JSON.
const { createRequire } = require('node:module');
const { readFile } = require('node:fs/promises');

const [installation, schemas, address] = process.argv.slice(2);
const validate = createRequire(`${installation}/`)('stac-node-validator');

// Where the tests keep the schemas that are published at an address, so that the validator needs no network.
const schemaMap = {
  'https://geojson.org/schema/': `${schemas}/geojson/`,
};
for (const [extension, version] of Object.entries({
  authentication: '1.1.0', eo: '2.0.0', file: '2.1.0', projection: '2.0.0', scientific: '1.0.0', 'web-map-links': '1.2.0',
})) {
  schemaMap[`https://stac-extensions.github.io/${extension}/v${version}/schema.json`] = `${schemas}/stac/${extension}.json`;
}
for (const kind of ['item', 'catalog', 'collection']) {
  schemaMap[`https://schemas.stacspec.org/v1.1.0/${kind}-spec/json-schema/`] = `${schemas}/stac/`;
}

async function loader(source) {
  // The projection extension refers to it. No item has a PROJJSON.
  if (source.startsWith('https://proj.org/')) {
    return {};
  }
  if (/^https?:/.test(source)) {
    const response = await fetch(source);
    if (!response.ok) {
      throw new Error(`${response.status}`);
    }
    return response.json();
  }
  return JSON.parse(await readFile(source, 'utf8'));
}

function errorsOf(object) {
  const errors = [...object.results.core, ...Object.values(object.results.extensions).flat()];
  return errors.map(error => `${object.id}: ${error.instancePath ?? ''} ${error.message}`);
}

async function main() {
  const report = await validate(address, { loader, schemaMap });
  const objects = report.children.length > 0 ? report.children : [report];
  console.log(JSON.stringify({
    valid: objects.filter(object => object.valid === true && !object.skipped).length,
    objects: objects.length,
    errors: objects.flatMap(object => [...object.messages, ...errorsOf(object)]),
  }));
}

main();
