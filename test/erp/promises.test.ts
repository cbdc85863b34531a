import { afterAll, expect, test } from 'vitest';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { checked, EVERYTHING, settledErp, TOKEN } from '../support/erp-check.ts';
import { faultyErp } from '../support/faulty-erp.ts';

const CAN = { lots: true, approvals: true, products: true, transports: true };

test('the sandbox ERP passes every check, including changes by people', async () => {
  const sandbox = await settledErp(1_234);
  const { control } = sandbox;
  control.setStock('SB-0002', '50', { location: 'EAST' });
  control.setStock('SB-0002', '60', { location: 'EAST', batch: 'LOT-7' });
  control.inject({ kind: 'invalid-row', key: 'P-000003', set: { price: null }, times: null });
  const people = {
    ship: async (id: string) => void control.shipOrder(id),
    pick: async () => {},
    shipShort: async (id: string, sku: string, quantity: string) =>
      void control.shipLines(id, { [sku]: { shipped: quantity, given_up: '2' } }),
    approve: async (
      id: string,
      { status, message, decidedAt }: { status: string; message?: string; decidedAt?: string },
    ) => void control.approveOrder(id, { status, message, decided_at: decidedAt }),
    addLot: async (sku: string, batch: string) => control.addLot({ sku, batch }).id,
  };
  const { findings, left, named } = await checked(sandbox.url, CAN, {
    people,
    facts: { productCount: 1_234, invalidRowIds: ['P-000003'] },
  });
  expect(findings.filter(({ result }) => result !== 'kept')).toEqual([]);
  const measured = Object.fromEntries(
    findings.map((finding) => [finding.name, finding.result === 'kept' ? finding.measured : null]),
  );
  expect(measured['products-whole']).toMatch(
    /^1234 rows in 3 pages; 1 row left out that does not fit, P-000003: price: /,
  );
  expect(measured['cut-create']).toBe('broken at 2 places: POST /v1/orders');
  expect(named('kept').length).toBeGreaterThan(40);
  expect(left.map(({ what }) => what.replace(/ .*/, ''))).toEqual([
    'customer',
    'customer',
    'product',
    'payment',
    'payment',
    'payment',
    'payment',
  ]);
  const live = control.state().orders.filter(({ status }) => status === 'reserved' || status === 'draft');
  expect(live.map(({ origin }) => origin)).toEqual(['erp', 'erp', 'erp']);
});

test('an order that people made in the ERP need not be found by its reference', async () => {
  const sandbox = await settledErp();
  const { named } = await checked(sandbox.url, CAN, {
    most: 'reads',
    broken: (erp) => ({ ...erp, findOrders: async () => [] }),
  });
  expect(named('broken')).toEqual([]);
  expect(named('kept')).toContain('orders-found');
});

test('an ERP that was called too often is called again after its pause, which breaks no promise', async () => {
  const sandbox = await settledErp();
  let asked = 0;
  const url = await faultyErp(sandbox.url, async (call, ask) => {
    asked += 1;
    return asked === 60 ? { status: 429, body: { error: 'too many' } } : ask(call);
  });
  const { named } = await checked(url, CAN);
  expect(asked).toBeGreaterThan(100);
  expect(named('broken')).toEqual([]);
});

test('a check that the capabilities exclude is skipped, and is named with its reason', async () => {
  const sandbox = await settledErp();
  const { findings, named } = await checked(sandbox.url, { editing: 'no', payments: 'none', customers: 'none' });
  expect(named('broken')).toEqual([]);
  const untested = findings.filter(({ name }) => /^(edit-lines|payments|customer)/.test(name));
  expect(untested.map((finding) => finding.result === 'not-tested' && finding.because !== '')).not.toContain(false);
});

test('drafts are checked only where the strategy creates them', async () => {
  const sandbox = await settledErp();
  const url = await faultyErp(sandbox.url, async (call, ask) =>
    call.body?.status === 'draft' ? { status: 422, body: { error: 'no drafts' } } : ask(call),
  );
  const without = await checked(url, CAN, { most: 'writes', uses: { ...EVERYTHING, drafts: false } });
  expect(without.named('broken')).toEqual([]);
  expect(without.findings).toContainEqual(
    expect.objectContaining({ name: 'draft', because: 'the strategy of this account makes no drafts' }),
  );
  expect((await checked(url, CAN, { most: 'writes' })).named('broken')).toContain('create');
});

test('a part that nothing of the account uses is not checked', async () => {
  const sandbox = await settledErp();
  const { findings } = await checked(sandbox.url, CAN, { most: 'reads', uses: { ...EVERYTHING, payments: false } });
  const because = 'nothing of this account uses payments';
  expect(findings).toContainEqual(expect.objectContaining({ name: 'payments-whole', because }));
});

test('an ERP that computes its totals need not keep those that are sent', async () => {
  const sandbox = await settledErp();
  sandbox.control.computeTotals();
  expect((await checked(sandbox.url, { ...CAN, totals: 'computed' })).named('broken')).toEqual([]);
  expect((await checked(sandbox.url, { ...CAN, totals: 'stored' })).named('broken')).toContain('create');
});

test('an ERP that stores two decimals of a price and whole quantities is checked with no more', async () => {
  const sandbox = await settledErp();
  const url = await faultyErp(sandbox.url, async (call, ask) => {
    const fine = call.body?.lines?.some((line) => {
      return line.quantity?.includes('.') === true || /\.\d{3}/.test(line.unit_price ?? '');
    });
    return fine === true ? { status: 422, body: { error: 'too fine' } } : ask(call);
  });
  expect((await checked(url, { ...CAN, decimals: { price: 2, quantity: 0 } })).named('broken')).toEqual([]);
  const { findings } = await checked(url, CAN);
  const mend = expect.stringContaining('set capabilities.decimals: { quantity: 0 }') as string;
  expect(findings).toContainEqual(expect.objectContaining({ name: 'create', result: 'broken', mend }));
});

test('the records of erp check are removed when it is interrupted', async () => {
  const sandbox = await settledErp();
  const stopping = new AbortController();
  let creates = 0;
  const url = await faultyErp(sandbox.url, async (call, ask) => {
    const answer = await ask(call);
    if (call.method === 'POST' && ++creates === 4) stopping.abort();
    return answer;
  });
  const { left } = await checked(url, CAN, { signal: stopping.signal });
  const made = sandbox.control.state().orders.filter(({ note }) => note.startsWith('A check of the connection'));
  expect(made.map(({ status }) => status)).toEqual(Array(4).fill('cancelled'));
  expect(left).toEqual([]);
});

test('the records of erp check are named when the ERP does not allow their removal', async () => {
  const sandbox = await settledErp();
  const url = await faultyErp(sandbox.url, async (call, ask) =>
    call.body?.status === 'cancelled' ? { status: 409, body: { error: 'picked' } } : ask(call),
  );
  const { left, named } = await checked(url, CAN, { most: 'writes' });
  expect(named('broken')).toContain('cancel-twice');
  expect(left.length).toBeGreaterThan(3);
  expect(left[0]).toMatchObject({
    what: expect.stringMatching(/^order SO-/),
    because: expect.stringContaining('picked'),
  });
});

test('an ERP that is down is reported once, and is not called again', async () => {
  const sandbox = await startSandboxErp({ tokens: [] });
  afterAll(() => sandbox.close());
  const { findings, named } = await checked(sandbox.url, CAN);
  expect(named('broken')).toEqual(['ping']);
  expect(findings[0]).toMatchObject({ kind: 'credentials' });
  expect(sandbox.control.requests().length).toBeLessThan(5);
});

test('a broken promise is reported with the message of the ERP, and the exchange before it without a header', async () => {
  const sandbox = await settledErp();
  const url = await faultyErp(sandbox.url, async (call, ask) => {
    const answer = await ask(call);
    return call.method === 'PATCH' && answer.status === 404
      ? { status: 500, body: { error: `cursor lost ${'x'.repeat(500)}` } }
      : answer;
  });
  const { findings } = await checked(url, CAN, { most: 'writes' });
  const found = findings.find(({ name }) => name === 'edit-unknown');
  expect(found).toMatchObject({
    result: 'broken',
    expected: 'a refusal by which nothing was written (not-applied)',
    came: expect.stringMatching(/^unknown: The ERP at \S+ answered 500 \("cursor lost x/) as string,
    heard: {
      sent: expect.stringMatching(
        /^PATCH http:\S+\/v1\/orders\/stockbridge-check-\S+ .*"status": ?"cancelled"/,
      ) as string,
      answer: expect.stringMatching(/cursor lost x+…$/) as string,
    },
  });
  expect(JSON.stringify(found)).not.toContain(TOKEN);
});
