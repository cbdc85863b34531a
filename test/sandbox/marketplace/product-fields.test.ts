import { expect, onTestFinished, test } from 'vitest';
import { startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { topicPage } from '../../support/guide.ts';

async function control() {
  const market = await startSandboxMarketplace();
  onTestFinished(() => market.close());
  return async (method: string, path: string, body: object) => {
    const answer = await fetch(`${market.controlUrl}${path}`, { method, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
}

test('a control call refuses an unknown product field, and stores those in `fields`', async () => {
  const call = await control();
  const price = { sku: 'A-1', name: 'A', price: { amount: '2.50', currency: 'USD' } };
  for (const [path, body] of [
    ['/products', price],
    ['/products/bulk', [price]],
  ] as const) {
    const refused = await call('POST', path, body);
    expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringContaining('price') as string]);
  }
  const made = await call('POST', '/products', { sku: 'A-1', name: 'A', quantity: '10', fields: { shelf: '7' } });
  expect(made.status).toBe(200);
  expect(await call('PATCH', `/products/${String(made.body['id'])}`, { prise: '1' })).toMatchObject({ status: 400 });
});

test('the calls in the guide page on the sandbox are accepted', async () => {
  const call = await control();
  const shown = topicPage('sandbox').blocks.find(({ text }) => text.includes('POST /_control'))?.text ?? '';
  const calls = [...shown.matchAll(/^(\w+) \/_control(\S+) (.*)$/gm)];
  expect(calls.length).toBeGreaterThan(3);
  for (const [, method = '', path = '', body = ''] of calls)
    expect({ path, ...(await call(method, path, JSON.parse(body) as object)) }).toMatchObject({ path, status: 200 });
});
