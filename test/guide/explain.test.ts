import { expect, test } from 'vitest';
import { explanationText } from '../../src/cli/explain-text.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { textRedactor } from '../../src/logging/redaction.ts';
import { explainEntity } from '../../src/use/explain/explain.ts';
import { accountConfig } from '../flows/account.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../store/shelf.ts';
import { topicPage } from '../support/guide.ts';

const shelf = useShelf();

test('the page on explain has the output of explain', async () => {
  const { store } = shelf();
  const main = accountConfig({ inventory: { strategy: 'b', buffer: 5 } });
  const pass = (minutes: number) => {
    shelf().nowMs = Date.parse(at(minutes));
  };
  pass(0);
  const listed = product({ figures: { quantity: d('41'), reserved: d('0'), available: d('41') } });
  const shownThere = { id: 70, sku: 'SB-1', name: 'Kush', description: '', unit_multiplier: 1 };
  const raw = JSON.stringify({
    ...shownThere,
    wholesale_price: { amount: 12.5, currency: 'USD' },
    external_ids: { stockbridge: 'P-1' },
  });
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([], { rows: [{ product: listed, raw }] }));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await store.erp.recordStock('main', [stockRow({ onHand: d('46'), available: d('46') })], 'poll');
  pass(1);
  const placed = (number: string, quantity: string) => order({ number, lines: [line({ quantity: d(quantity) })] });
  await store.orders.record(orderBatch([placed('o-1', '7'), placed('o-2', '3')]));
  await store.erp.recordOrders('main', [erpOrder({ changedAt: at(1) })], 'poll');
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
  pass(2);
  const later = stockRow({ onHand: d('46'), reserved: d('7'), available: d('39'), asOf: at(2) });
  await store.erp.recordStock('main', [later], 'poll');
  await shelf().takeWork();
  const config = { mode: 'live', accounts: [main] } as unknown as Parameters<typeof explainEntity>[0]['config'];
  const log = createLogger({ level: 'silent', secrets: [] });
  const opened = { config, store, by: 'ada', log, redact: textRedactor([]) };
  const told = await explainEntity(opened, { name: 'SB-1' }, shelf().nowMs);
  const cli = {
    env: { COLUMNS: '100' },
    stdout: process.stdout,
    stderr: process.stderr,
    secrets: [],
    exitCode: 0,
  } as const;
  const text = explanationText({ ...cli, env: { ...cli.env, NO_COLOR: '1' }, secrets: [] }, told, 20).map((each) =>
    each.trimEnd(),
  );
  const sum = text.slice(0, text.indexOf('Both sides') - 1);
  const [, shown] = /```text\n([\s\S]*?)```/.exec(topicPage('explain').text) ?? [];
  expect(shown).toBe(`${sum.join('\n')}\n...\n`);
});
