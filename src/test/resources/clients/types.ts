// What a reader expects of the types that openapi-typescript makes of the document. The compiler checks it.
import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { operations, paths } from './datasets.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Json = 'application/json';
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = FetchResponse<
  Extract<paths[Path][Method], Record<string | number, any>>, {}, Json>;
type Data<Path extends keyof paths, Method extends keyof paths[Path]> = NonNullable<Answer<Path, Method>['data']>;
type Body<Path extends keyof paths, Method extends 'post' | 'put' | 'patch'> = NonNullable<
  NonNullable<MaybeOptionalInit<paths[Path], Method>> extends { body?: infer Sent } ? Sent : never>;

const client = createClient<paths, Json>();
const isTrue = <T extends true>(): T | void => undefined;

isTrue<Equal<Data<'/api/dataset/', 'get'>['results'][0]['bbox'], number[]>>();
isTrue<Equal<Data<'/api/dataset/', 'get'>['results'][0]['dataset_name'], string>>();
isTrue<Equal<Data<'/api/dataset/', 'get'>['next'], string | null>>();
isTrue<Equal<Data<'/api/dataset/', 'post'>['id'], number>>();
isTrue<Equal<Data<'/api/dataset/', 'post'>['tags'], string[]>>();
isTrue<Equal<Body<'/api/dataset/', 'post'>['bbox'], number[] | undefined>>();
isTrue<Equal<Body<'/api/dataset/{id}/', 'patch'>['is_private'], boolean | undefined>>();
isTrue<Equal<NonNullable<operations['listDatasets']['parameters']['query']>['p'], number | 'last' | undefined>>();
isTrue<Equal<Data<'/stac/search', 'post'>['features'][0]['bbox'], number[]>>();
isTrue<Equal<Data<'/api/dataset_coords', 'get'>[0]['latitude'], number>>();

export async function refusals(): Promise<void> {
  // @ts-expect-error A page is a number or `last`.
  await client.GET('/api/dataset/', { params: { query: { p: 'first' } } });
  // @ts-expect-error A box has numbers.
  await client.POST('/api/dataset/', { body: { bbox: '1,2,3,4' } });
  // @ts-expect-error The address of one dataset needs its id.
  await client.GET('/api/dataset/{id}/');
  const { error } = await client.POST('/api/dataset/', { body: { bbox: [1] } });
  const reason: unknown[] | string | object | undefined = error && 'detail' in error ? error.detail : error?.bbox;
  await client.POST('/stac/collections/datasets/items', {
    body: { type: 'Feature', geometry: { type: 'Point', coordinates: [7.45, 46.95] }, properties: { title: String(reason) } },
  });
}
