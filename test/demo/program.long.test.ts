import { expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';

const figure = (printed: string, name: string) => new RegExp(`^ {2}${name} +(\\d+)`, 'm').exec(printed)?.[1];

test('demo --once plays the whole story, both sides agree, and nothing is left behind', async () => {
  const demo = startProgram('demo', '--once');
  expect(await demo.exit()).toBe(0);
  const { stdout, stderr } = demo.printed;
  expect(stderr).toBe('');
  expect(stdout).toContain('Both sides agree, and nothing is left to do.');
  const figures = ['orders in', 'exported', 'made in the ERP', 'shipped', 'duplicates', 'stock differences'];
  // There are 21 orders and one made in the ERP. One is canceled, one rejected, and one cancelled in the ERP.
  expect(figures.map((name) => figure(stdout, name))).toEqual(['21', '21', '1', '19', '0', '0']);
  const [used, least] = ['API calls used', 'least possible'].map((name) => Number(figure(stdout, name)));
  expect(least).toBeGreaterThan(50);
  expect(used).toBeGreaterThanOrEqual(least ?? 0);
  for (const happened of [
    /erp +ships SO-/,
    /buyer +\S.* cancels /,
    /market +staff reject /,
    /bridge +enters SO-\d+ on the marketplace/,
    /bridge +finds \S+ in the ERP already \(ERP order SO-\d+\): no second one is made/,
    /bridge +(adopts listing \d+ \(\S+\): found by external_id|listing \d+ is there already: adopts it)/,
    /bridge +adopts listing 1 \(SB-0001\): found by sku/,
    /brings back listing 6/,
    /Redis is flushed/,
  ]) {
    expect(stdout).toMatch(happened);
  }
  expect(demo.left()).toEqual([]);
});

test('demo --once that is stopped before the end says so and leaves nothing behind', async () => {
  const demo = startProgram('demo', '--once');
  await demo.says(/bridge +\S/);
  demo.signal('SIGINT');
  expect(await demo.exit()).toBe(1);
  expect(demo.printed.stdout).toContain('Stopped before the end of the scenario. Nothing is left behind.');
  expect(demo.left()).toEqual([]);
});

test('demo runs until it is stopped, prints what happens and where to look, and leaves nothing behind', async () => {
  const demo = startProgram('demo', '--orders-per-minute', '120');
  const [, admin = ''] = await demo.says(/daemon +(http:\S+)\/readyz/);
  await demo.says(/exports \S+ as ERP order SO-\d+/);
  expect((await fetch(`${admin}/livez`)).status).toBe(200);
  await demo.says(/ {2}== \d+ orders? in, \d+ exported/);
  demo.signal('SIGTERM');
  expect(await demo.exit()).toBe(0);
  expect(demo.printed.stderr).toBe('');
  expect(demo.printed.stdout).not.toContain('\u001b');
  expect(demo.printed.stdout.trimEnd().split('\n').at(-1)).toBe('Ended. Nothing is left behind.');
  expect(demo.left()).toEqual([]);
});
