import { expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';

test('demo --once ends with 1 and says what differs when somebody enters an order in the ERP a second time', async () => {
  const demo = startProgram('demo', '--once', '--seed', '7');
  const [, url = ''] = await demo.says(/ERP +(http:\S+)v1\//);
  const [, token = ''] = await demo.says(/token (\S+)/);
  // At this point no fault is set any more.
  await demo.says(/Second thoughts/);
  const [, id = ''] = await demo.says(/exports \S+ as ERP order (SO-\d+)/);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { reference, currency, lines, discount, shipping, tax, total } = (await (
    await fetch(`${url}v1/orders/${id}`, { headers })
  ).json()) as Record<string, unknown>;
  const copy = { reference, currency, lines, discount, shipping, tax, total, status: 'draft', customer: {} };
  await fetch(`${url}v1/orders`, { method: 'POST', headers, body: JSON.stringify(copy) });
  expect(await demo.exit()).toBe(1);
  expect(demo.printed.stdout).toContain('The two sides do not agree:');
  expect(demo.printed.stdout).toMatch(new RegExp(`order ${String(reference)} .* is 2 orders in the ERP: SO-`));
  expect(demo.printed.stdout).toMatch(/^ {2}duplicates +1 /m);
  expect(demo.left()).toEqual([]);
});
