import { expect, test } from 'vitest';
import { openStage, type Stage } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;

/** Clears the screen, hides what follows, forges a line, and comes back to the start of it. */
const EVIL =
  '\u001b[2J\u001b[8m\nall is well\r\u009b31m\u202e\u001b[1mpainted\u001b[22m\u{e0041}\u200b\u0301 \n    order-in 4711: held\n';
/** The escape sequences with which this program paints. */
const OURS = new RegExp(`${'\u001b'}\\[(?:[12]|22|3[1236]|39)m`, 'g');

test('names and messages of both sides send no control codes to the terminal and forge no line', async () => {
  stage = await openStage();
  const { erp, marketplace } = stage;
  const [price, unit_multiplier] = [{ amount: '5.00', currency: 'USD' }, '1'];
  const product = { name: `Name ${EVIL}`, description: '', price, unit_multiplier, on_hand: '3' };
  erp.control.addProducts([
    { ...product, sku: `SB-1 ${EVIL}` },
    { ...product, sku: `SB-2 ${EVIL}`, price: { amount: '5.00', currency: `EUR${EVIL}` } },
  ]);
  await stage.sync();
  erp.control.inject({
    kind: 'status',
    status: 422,
    error: `No ${EVIL}`,
    method: 'POST',
    path: '/v1/orders',
    times: 9,
  });
  const customer = marketplace.addCustomer({ name: `Shop ${EVIL}`, state: 'NV' });
  const { number } = marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  const [first, second] = erp.control.state().products;
  erp.control.setStock(first?.sku ?? '', '99');
  erp.control.setProduct(first?.sku ?? '', { name: `New ${EVIL}`, price: { amount: '50.00', currency: 'USD' } });
  const about = { account: 'main', flow: 'order-in', key: number, action: 'alert', outcome: 'noted' } as const;
  const said = { target: EVIL, before: EVIL, after: EVIL, why: EVIL, answer: EVIL };
  await stage.store().journal.add({ ...about, ...said });
  await stage.stop();
  const verbs = [
    ['plan'],
    ['plan', '--strategy', 'a'],
    ['sync'],
    ['status'],
    ['jobs', 'list'],
    ['jobs', 'show', 'order-in', number],
    ['jobs', 'show', 'product', second?.id ?? ''],
    ['brakes', 'list', '--all'],
    ['map', 'list'],
    ['map', 'export'],
    ['journal'],
    ['journal', '--csv'],
    ['plan', '--csv'],
    ['map', 'unlinked'],
    ['map', 'suggest'],
    ['jobs', 'replay', '--all', '--dry-run'],
    ['jobs', 'discard', `order-in/${number}`],
    ['audit', 'list'],
    ['doctor'],
    ['verify'],
    ['api', 'products.list', '--all'],
    ['jobs', 'list', '--json'],
    ['plan', '--json'],
  ];
  let told = '';
  for (const args of verbs) {
    const { stdout, stderr } = await run(['--config', stage.configFile, ...args], {}, { terminal: true });
    // The line of progress is drawn over itself.
    expect(stdout + stderr, args.join(' ')).not.toContain('\u001b[1mpainted');
    const text = (stdout + stderr).replaceAll('\r\u001b[2K', '').replaceAll(OURS, '');
    expect(text, args.join(' ')).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{DI}\u0301]/u);
    // The column in which the entries of a verb begin. Wrapped lines of an entry are indented more.
    const entries = { sync: 4, status: 11, journal: 0, audit: 0 }[args[0] ?? ''] ?? 2;
    expect(text, args.join(' ')).not.toMatch(new RegExp(`^ {0,${entries}}order-in 4711: held`, 'm'));
    expect(text, args.join(' ')).not.toMatch(/^all is well/m);
    told += text;
  }
  expect(told).toContain(String.raw`\u001b[2J\u001b[8m`);
});
