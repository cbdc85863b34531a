import { beforeEach, expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import {
  at,
  d,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';
import { textOf, useScreen } from '../support/visit.ts';

/* The page of an entity: the acts that its trouble needs are there, as on the pages Needs and Brakes. */

const shelf = useShelf();
const { page, act } = useScreen(shelf);
const PRODUCT = '/entity?kind=product&key=70';

beforeEach(async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
});

async function orderInDoubt(): Promise<number> {
  const { intents, orders } = shelf().store;
  await orders.record(orderBatch([order({ number: 'o-9' })]));
  const id = await intents.open({ account: 'main', kind: 'order-in', key: 'o-9', externalId: 'o-9' });
  await intents.inDoubt(id, cause('several-match', { found: ['SO-1', 'SO-2'], sent: true }), ['SO-1', 'SO-2']);
  return id;
}

test('an order in doubt has the choices that the page Needs has, and an act leads back to its page', async () => {
  const id = await orderInDoubt();
  const body = await page('/entity?kind=order&key=o-9');
  const formsOf = (shown: string) =>
    [...shown.matchAll(/<form method="post" action="act\/resolve"[^]*?<\/form>/g)].map(([form]) =>
      form.replaceAll(/name="(?:back|token)" value="[^"]*"/g, ''),
    );
  expect(formsOf(body)).toEqual(formsOf(await page('/needs?state=in-doubt')));
  expect(textOf(body)).toContain('2 entities match the create whose answer was lost: SO-1, SO-2');
  expect(textOf(body)).toContain(
    'What next Decide on its own page, or on the page Needs, whether the write was applied.',
  );
  const back = /name="back" value="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const answer = await act('resolve', { back, id: String(id), said: 'drop', sure: 'yes' });
  expect(answer.headers.location).toBe('/entity?kind=order&key=o-9');
  expect(textOf(await page('/entity?kind=order&key=o-9'))).toContain('It is resolved.');
});

test('a doubt is listed with its choices, although its flow has nothing to write and no other alert', async () => {
  const { intents } = shelf().store;
  const id = await intents.open({ account: 'main', kind: 'product', key: 'P-1', externalId: 'P-1' });
  await intents.inDoubt(id, cause('command-undecided', { said: 'command 17 is Pending', minutes: 15 }));
  const body = await page(PRODUCT);
  expect(body.split('Nothing was applied: try again')).toHaveLength(2);
  expect(body).toContain(`name="id" value="${id}"`);
});

test('a write that a brake holds links to its very plan, also once the plan is dropped', async () => {
  const { store } = shelf();
  const pool = { account: 'main', flow: 'stock', kind: 'zero' };
  const write = { action: 'stock.write', target: 'listing 70', before: '36', after: '0', why: 'the ERP' };
  const limit = { holdsAll: false, reason: causeOf('more than 1 a day'), expiryMs: 60_000 };
  await store.brakes.hold({ ...pool, kind: 'increase' }, [{ ...write, key: 'P-2' }], limit);
  const { id } = await store.brakes.hold(pool, [{ ...write, key: 'P-1' }], limit);
  const link = `<a class="button" href="brakes?account=main&amp;plan=${id}">`;
  expect(await page(PRODUCT)).toContain(link);
  await store.brakes.drop({ id }, 'ada');
  expect(await page(PRODUCT)).toContain(link);
});

test('an oversold SKU lists its open orders wherever it is reported, the oldest first', async () => {
  const { store } = shelf();
  const placed = (number: string, minute: number, name: string, quantity: string) =>
    order({
      number,
      modified: at(minute),
      customer: { id: minute, name },
      lines: [line({ productId: 70, quantity: d(quantity) })],
    });
  const later = [12, 13, 14, 15, 16].map((minute) => placed(`o-${minute}`, minute, 'Late', '1'));
  const first = [placed('o-2', 9, 'Harbor Supplies', '2'), placed('o-1', 3, 'Corner Shop', '7')];
  await store.orders.record(orderBatch([...later, ...first]));
  await store.erp.recordStock('main', [stockRow({ onHand: d('1'), available: d('1'), asOf: at(20) })], 'poll');
  await setAlert({ account: 'main', store }, 'stock:P-1', [cause('oversold', { sku: 'SB-1', by: '2', place: null })]);
  for (const url of ['/needs?state=alert', PRODUCT]) {
    const body = await page(url);
    const [list = ''] = /<ul class="plain holding"[^]*?<\/ul>/.exec(body) ?? [];
    const links = [...list.matchAll(/href="entity\?([^"]*)"/g)].map(([, query = '']) => query.replaceAll('&amp;', '&'));
    const keys = links.map((query) => new URLSearchParams(query).get('key'));
    expect(keys, url).toEqual(['o-1', 'o-2', 'o-12', 'o-13', 'o-14']);
    expect(textOf(list), url).toMatch(/o-1 Corner Shop 7 units Submitted, since .* o-2 Harbor Supplies 2 units/);
    expect(list, url).toContain('<a href="orders?account=main&amp;search=SB-1">and 2 more</a>');
  }
});

test('a failed job and a write in doubt of a flow that is off are on the page of their entity', async () => {
  const { intents, work } = shelf().store;
  const target = { account: 'main', flow: 'images', key: 'P-1' };
  await work.mark([target], 'poll', 'a test');
  const row = await work.get(target);
  await work.fail(target, row?.version ?? 0, 'marketplace-refused', 'The image is too large', 5);
  const [job] = await work.failed(target);
  const failed = await page(PRODUCT);
  expect(failed).toContain(`name="job" value="${job?.id}"`);
  expect(textOf(failed)).toContain('It has failed: The image is too large.');
  const id = await intents.open({ account: 'main', kind: 'image', key: 'P-1', externalId: 'P-1' });
  await intents.inDoubt(id, cause('several-match', { found: ['image 1', 'image 2'], sent: true }), ['1', '2']);
  expect(await page(PRODUCT)).toMatch(new RegExp(`name="id" value="${id}".*It is image 1`, 's'));
});
