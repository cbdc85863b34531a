import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { decideTransports, type TransportSnapshot } from '../../../src/flows/transport/decide.ts';
import type { StoredTransport } from '../../../src/store/marketplace.ts';

const AT = '2030-01-31T08:30:00.000Z';
const transport = (changes: Partial<StoredTransport> = {}): StoredTransport => ({
  id: 'T-1',
  orderKey: 'o-1',
  status: 'shipped',
  shippedAt: AT,
  deliveredAt: null,
  expectedAt: null,
  requestedOn: null,
  tracking: null,
  ...changes,
});
const SHIPPED = { id: 'T-1', status: 'shipped', shippedAt: AT } as const;

function decided(changes: Partial<TransportSnapshot> = {}) {
  return decideTransports({
    erpOrder: { id: 'SO-17' },
    invalidErpRow: null,
    transports: [transport()],
    canTake: true,
    canTrack: false,
    ...changes,
  });
}
const NOTHING = { actions: [], holds: [], alerts: [] };

test('the ERP gets the shipment and the delivery of each transport', () => {
  const transports = [transport(), transport({ id: 'T-2', status: 'delivered', shippedAt: null, deliveredAt: AT })];
  const [action] = decided({ transports }).actions;
  expect(action).toMatchObject({ action: 'transport-in.tell', erpId: 'SO-17', before: 'none' });
  expect(action?.transports).toEqual([SHIPPED, { id: 'T-2', status: 'delivered', deliveredAt: AT }]);
});

test('the ERP gets the expected time and the tracking, also of a planned transport, where it takes them', () => {
  const known = { expectedAt: AT, tracking: '1Z-7' };
  const transports = [
    transport(known),
    transport({ id: 'T-2', status: 'planned', shippedAt: null, ...known }),
    transport({ id: 'T-3', status: 'created', shippedAt: null }),
  ];
  const [action] = decided({ transports, canTrack: true }).actions;
  expect(action?.transports).toEqual([
    { ...SHIPPED, ...known },
    { id: 'T-2', status: 'planned', ...known },
  ]);
  expect(action?.after).toContain(`T-2 planned (expected ${AT}, tracking 1Z-7)`);
  expect(decided({ transports }).actions[0]?.transports).toEqual([SHIPPED]);
});

test('a transport that the ERP has already is not sent again', () => {
  expect(decided({ erpOrder: { id: 'SO-17', transports: [SHIPPED] } })).toMatchObject(NOTHING);
});

test('a transport that was reset to planned is corrected in the ERP', () => {
  const erpOrder = { id: 'SO-17', transports: [SHIPPED] };
  expect(decided({ erpOrder, transports: [transport({ status: 'planned' })] }).actions).toMatchObject([
    { after: 'none', transports: [] },
  ]);
});

test.each(['uploaded', 'created', 'assigned', 'planned', 'lost in the hills'])(
  'the ERP gets nothing of a transport that is %s',
  (status) => {
    expect(decided({ transports: [transport({ status })] })).toMatchObject(NOTHING);
  },
);

test('a transport of an order that the ERP does not have is not sent', () => {
  expect(decided({ erpOrder: null })).toMatchObject(NOTHING);
  expect(decideTransports(null)).toMatchObject(NOTHING);
});

test('with an ERP that does not store transports, the order is held and nothing is written', () => {
  const held = cause('erp-takes-no-transports', { erpOrder: 'SO-17' });
  expect(decided({ canTake: false })).toMatchObject({ actions: [], holds: [held] });
});

test('transports of an order with an unreadable row are held', () => {
  expect(decided({ invalidErpRow: 'lines: expected' })).toMatchObject({
    actions: [],
    holds: [{ code: 'erp-order-invalid' }],
  });
});
