import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { topicPage } from '../../support/guide.ts';
import { tradingFolder, whole } from './exchange-folder.ts';

const { text } = topicPage('files');
const blocks = (language: string) =>
  Array.from(text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')), ([, block = '']) => block);
const [products = '', stock = '', acks = ''] = blocks('text');
const { accounts } = parse(blocks('yaml')[0] ?? '') as { accounts: { main: { erp: object } } };

const folder = tradingFolder({ ...accounts.main.erp, stable_for: '10ms' });
afterAll(() => folder.close());

it('the nightly CSV of the guide is read as the guide says', async () => {
  await folder.put('products-20261123.csv', products);
  await folder.put('stock-20261123-0200.csv', stock);
  await folder.put('acks/ack-20261123-0915.csv', acks);
  const listed = await whole(folder.erp().listProducts(null));
  expect(
    listed.items.map(({ sku, name, active, price }) => [sku, name, active, price.amount.toFixed(), price.currency]),
  ).toEqual([
    ['A-100', 'Tee, grün', true, '1234.5', 'EUR'],
    ['B-200', 'Kaffee', false, '2.8', 'EUR'],
  ]);
  const figures = await whole(folder.erp().listStock(null));
  expect(figures.items.map(({ sku, available, asOf }) => [sku, available.toFixed(), asOf])).toEqual([
    ['A-100', '36', '2026-11-23T01:00:00.000000Z'],
    ['B-200', '12.5', '2026-11-23T01:00:00.000000Z'],
  ]);
  expect([listed, figures].map(({ codes, invalidRows, complete }) => [codes, invalidRows, complete])).toEqual([
    [[], [], true],
    [[], [], true],
  ]);
  expect(await folder.names()).not.toContain('acks/ack-20261123-0915.csv');
});
