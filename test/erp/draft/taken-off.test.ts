import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../cli/capture.ts';
import { folderOf, LEAST } from '../../config/folder.ts';
import { topicPage } from '../../support/guide.ts';
import { draft, ENV, folder, sectionIn } from './drafted.ts';

const line = (sku: string, left: number) => ({ sku, left });
const ANSWERS: Readonly<Record<string, object>> = {
  '/items': {
    total: 3,
    items: [
      { id: 1, sku: 'A', free: 7 },
      { id: 2, sku: 'B', free: 4 },
      { id: 3, sku: 'C', free: 0 },
    ],
  },
  '/orders': { total: 2, orders: [{ lines: [line('A', 2), line('B', 0)] }, { lines: [line('A', 1), line('C', 5)] }] },
};

/** An ERP whose figure of stock has its open orders taken off. */
async function startErp(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(ANSWERS[URL.parse(`http://erp${request.url}`)?.pathname ?? '']));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the manual's stock figure with orders subtracted becomes the goods in the warehouse", async () => {
  const example = topicPage('rest').blocks.find(({ kind, text }) => kind === 'text' && text.startsWith('stock:'));
  const lists = (example?.text ?? '').replaceAll(/^(?=.)/gm, '        ');
  const url = await startErp();
  const yaml = LEAST.replace(/erp: .*/, `erp:\n      type: rest\n      url: ${url}\n      lists:\n${lists}`);
  const config = folderOf({ 'c.yaml': yaml })('c.yaml');
  const { stdout, stderr } = await run(['erp', 'try', 'stock', '--config', config, '--json'], ENV);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    complete: true,
    invalidRows: [],
    rows: [
      { sku: 'A', onHand: '10', reserved: '3', available: '7' },
      { sku: 'B', onHand: '4', reserved: '0', available: '4' },
      { sku: 'C', onHand: '5', reserved: '5', available: '0' },
    ],
  });
});

test('the draft of a stock figure alone asks for the reservations of orders, and names the page that explains it', async () => {
  const rows = [
    { id: 1, sku: 'A', name: 'Tea', price: '2.50', stock: 7 },
    { id: 2, sku: 'B', name: 'Salt', price: '1.50', stock: 4 },
  ];
  const { stdout } = await draft(`${folder({ 'products.json': JSON.stringify(rows) })}/products.json`);
  expect(sectionIn(stdout).lists['stock']).toMatchObject({ row: { on_hand: 'stock', reserved: 'null' } });
  const asked = /^ +reserved: "null" # decide: .*"stockbridge guide rest", "(.*)"$/m.exec(stdout)?.[1] ?? 'nothing';
  expect(topicPage('rest').text).toContain(`### ${asked}\n`);
});
