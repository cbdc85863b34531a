import { expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { FetchedImage } from '../../../src/erp/images/fetcher.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { alertOf } from '../../../src/shadow/alerts.ts';
import { readImages } from '../../../src/shadow/read-images.ts';
import { erpProduct, product, productBatch, useShelf } from '../../store/shelf.ts';
import { told } from '../../support/causes.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = { key: 'P-1', lane: 'poll', signal: new AbortController().signal } as const;
const goAhead = async () => ({ dryRun: false, paused: null, brake: null });
const A = 'https://img.test/a.png';
const B = 'https://img.test/b.png';

/** An image of the marketplace. The content is not shown to clients. */
interface Kept {
  readonly id: number;
  readonly product: number;
  readonly position: number;
  readonly content: string;
  readonly name: string;
}

function sides(contents: Record<string, string | null>) {
  const kept: Kept[] = [];
  const fetched: string[] = [];
  let lost: 'applied' | 'not applied' | null = null;
  const fail = (outcome: 'unknown' | 'not-applied', kind: 'unavailable' | 'not-found') => {
    throw new CallFailure('no answer', { side: 'marketplace', kind, outcome });
  };
  const put = (image: Omit<Kept, 'id'>): Kept => {
    kept.push({ id: 500 + kept.length, ...image });
    return kept.at(-1) as Kept;
  };
  const client = {
    list: async (_id: string, { query }: { query: { product: number } }) => {
      const rows = kept
        .filter((image) => image.product === query.product)
        .map(({ id, product: listing, position }) => ({ id, product: listing, position }));
      return { count: rows.length, more: false, rows, invalidRows: [], raw: rows };
    },
    call: async (
      id: string,
      {
        path,
        body,
      }: { path: { id: number }; body: { image: { name: string; bytes: Buffer }; product: number; position: number } },
    ) => {
      if (id === 'product-images.delete') {
        const at = kept.findIndex((image) => image.id === path.id);
        if (at < 0) fail('not-applied', 'not-found');
        kept.splice(at, 1);
        return null;
      }
      const { image, ...place } = body;
      const loses = lost;
      if (loses === 'not applied') fail('unknown', 'unavailable');
      const made = put({ ...place, content: image.bytes.toString(), name: image.name });
      if (loses !== null) fail('unknown', 'unavailable');
      return { id: made.id };
    },
  };
  const images = {
    fetch: async (url: string, etag: string | null): Promise<FetchedImage> => {
      fetched.push(etag === null ? url : `${url} unless ${etag}`);
      const content = contents[url] ?? null;
      if (content === null) return { found: 'nothing', failure: 'is answered with 404' };
      if (etag === content) return { found: 'unchanged' };
      const hash = Buffer.from(content).toString('hex').padEnd(64, '0');
      return { found: 'image', bytes: Buffer.from(content), hash, contentType: 'image/png', etag: content };
    },
  };
  const config = accountConfig({
    products: { images: { from: 'attributes.images', hosts: ['img.test'], remove: true } },
  });
  const context = {
    ...accountContext(shelf().store, config, { client: client as unknown as AccountContext['client'], images }),
    now: () => shelf().nowMs,
  };
  return {
    context,
    kept,
    fetched,
    contents,
    put,
    lose: (what: typeof lost) => {
      lost = what;
    },
    shown: () => kept.map(({ position, content }) => `${position} ${content}`).toSorted(),
  };
}

async function sell(images: unknown) {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct({ attributes: { images } })], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  const link = { account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' } as const;
  await store.mappings.link(link);
}
const run = ({ context }: ReturnType<typeof sides>) => FLOW_RUNS['images'].reconcile(context, look, goAhead);
const alert = async () => told(await alertOf({ account: 'main', store: shelf().store }, 'images:P-1'));

test('images are uploaded once, in their order, and a second attempt calls nothing', async () => {
  const here = sides({ [A]: 'aaa', [B]: 'bbb' });
  await sell([A, B]);
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 2 });
  expect(here.shown()).toEqual(['0 aaa', '1 bbb']);
  expect(here.kept[0]?.name).toMatch(/^[0-9a-f]{16}\.png$/);
  const fetches = here.fetched.length;
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 0 });
  expect(here.fetched).toHaveLength(fetches);
});

test('an image whose content changed at its address replaces the old one at the next check', async () => {
  const here = sides({ [A]: 'aaa' });
  await sell([A]);
  await run(here);
  await shelf().takeWork();
  shelf().nowMs += 86_399_999;
  await readImages(here.context, look);
  expect(here.fetched).toEqual([A]);
  shelf().nowMs += 1;
  await readImages(here.context, look);
  expect(here.fetched).toEqual([A, `${A} unless aaa`]);
  expect(await shelf().takeWork()).toEqual([]);
  here.contents[A] = 'new';
  shelf().nowMs += 86_400_000;
  await readImages(here.context, look);
  expect(await shelf().takeWork()).toEqual(['images P-1']);
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 2 });
  expect(here.shown()).toEqual(['0 new']);
});

test('an image that cannot be fetched raises an alert, the others go on, and it is retried', async () => {
  const here = sides({ [A]: null, [B]: 'bbb' });
  await sell([A, B, 'https://other.test/c.png']);
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(here.shown()).toEqual(['1 bbb']);
  expect(await alert()).toBe(
    `image-unfetched {"image":"${A}","failure":"is answered with 404"}; image-unfetched {"image":"https://other.test/c.png","failure":"is at other.test, which products.images.hosts does not name"}`,
  );
  expect(here.fetched).toEqual([A, B]);
  await shelf().takeWork();
  here.contents[A] = 'aaa';
  shelf().nowMs += 600_000;
  await readImages(here.context, look);
  expect(await shelf().takeWork()).toEqual(['images P-1']);
  await run(here);
  expect(here.shown()).toEqual(['0 aaa', '1 bbb']);
});

test.each(['applied', 'not applied'] as const)(
  'an image upload with a lost answer that was %s is there once',
  async (what) => {
    const here = sides({ [A]: 'aaa' });
    await sell([A]);
    here.lose(what);
    await expect(run(here)).rejects.toThrow('no answer');
    here.lose(null);
    if (what === 'not applied') {
      expect(await run(here)).toMatchObject({ state: 'wait', waitMs: 60_000 });
      shelf().nowMs += 60_000;
    }
    // An image that is there already counts as the uploaded one, and is not written again.
    expect(await run(here)).toMatchObject({ state: 'in-sync', written: what === 'applied' ? 0 : 1 });
    expect(here.shown()).toEqual(['0 aaa']);
  },
);

test('a lost upload of a new image content is told apart from the old image', async () => {
  const here = sides({ [A]: 'aaa' });
  await sell([A]);
  await run(here);
  here.put({ product: 70, position: 0, content: "somebody else's", name: '' });
  here.contents[A] = 'new';
  shelf().nowMs += 86_400_000;
  await readImages(here.context, look);
  here.lose('not applied');
  await expect(run(here)).rejects.toThrow('no answer');
  here.lose(null);
  shelf().nowMs += 60_000;
  await run(here);
  expect(here.shown()).toEqual(['0 new', "0 somebody else's"]);
});

test('images that were there before ours are adopted: nothing is uploaded twice', async () => {
  const here = sides({ [A]: 'aaa', [B]: 'bbb' });
  await sell([A, B]);
  here.put({ product: 70, position: 0, content: 'aaa', name: '' });
  await run(here);
  expect(here.shown()).toEqual(['0 aaa', '1 bbb']);
});

test('an image that the ERP no longer names is deleted; one that is gone already is not requested', async () => {
  const here = sides({ [A]: 'aaa', [B]: 'bbb' });
  await sell([A, B]);
  await run(here);
  await sell([A]);
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(here.shown()).toEqual(['0 aaa']);
  here.kept.length = 0;
  await sell([]);
  expect(await run(here)).toMatchObject({ state: 'in-sync', written: 1 });
});

test('an image expression that fails holds the images and removes none', async () => {
  const here = sides({ [A]: 'aaa' });
  await sell([A]);
  await run(here);
  await sell([{ url: A, position: 'first' }]);
  expect(await run(here)).toMatchObject({ state: 'held', causes: [{ code: 'images-problem' }] });
  expect(here.shown()).toEqual(['0 aaa']);
});

test('image addresses that are no longer wanted are dropped, and an unreachable host is asked only a few times', async () => {
  const urls = Array.from({ length: 8 }, (_, index) => `https://img.test/${index}.png`);
  const here = sides({});
  await sell(urls);
  await run(here);
  expect(here.fetched).toHaveLength(8);
  await sell(urls.slice(1));
  shelf().nowMs += 600_000;
  await readImages(here.context, look);
  expect(here.fetched).toHaveLength(8 + 5);
  expect((await shelf().store.images.ofErpProduct('main', 'P-1')).map(({ url }) => url)).not.toContain(urls[0]);
});

test('a product in step marks its images for reconciliation, unless it has none', async () => {
  const here = sides({ [A]: 'aaa' });
  const { store } = shelf();
  await sell([A]);
  await shelf().takeWork();
  await store.facts.set('main', 'listings-known', 'yes');
  const client = {
    call: async () => ({}),
    list: async () => ({ rows: [], invalidRows: [], more: false, count: 0, raw: [] }),
  };
  const off = { ...here.context, client: client as unknown as AccountContext['client'], config: accountConfig() };
  await store.erp.recordProducts('main', [erpProduct({ active: false })], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product({ archived: true, modified: '2030-01-01T13:00:00Z' })]));
  await shelf().takeWork();
  await FLOW_RUNS.product.reconcile(off, look, goAhead);
  expect(await shelf().takeWork()).toEqual([]);
  await FLOW_RUNS.product.reconcile(here.context, look, goAhead);
  expect(await shelf().takeWork()).toEqual(['images P-1']);
});

test('an image whose upload completes during the lookup is found by the next lookup, and not uploaded again', async () => {
  const here = sides({ [A]: 'aaa' });
  await sell([A]);
  here.lose('not applied');
  await expect(run(here)).rejects.toThrow('no answer');
  here.lose(null);
  const { client, config } = here.context;
  shelf().nowMs += 2 * config.marketplace.timeoutMs - 1;
  let isFirst = true;
  const list: typeof client.list = async (...asked) => {
    const page = await client.list(...asked);
    if (isFirst) {
      here.put({ product: 70, position: 0, content: 'aaa', name: 'a.png' });
      shelf().nowMs += 1;
    }
    isFirst = false;
    return page;
  };
  await run({ ...here, context: { ...here.context, client: { ...client, list } } });
  expect(here.shown()).toEqual(['0 aaa']);
});
