import { describe, expect, test } from 'vitest';
import { type Seen, type Started, start } from './api.ts';

async function write(market: Started, method: string, path: string, body?: unknown): Promise<Seen> {
  const answer = await market.call(method, path, body);
  expect([method, path, answer.status < 300 ? '' : answer.text]).toEqual([method, path, '']);
  return answer.body;
}
const ids = async (market: Started, path: string) => (await market.call('GET', path)).body.results.map(({ id }) => id);

describe('transport orders', () => {
  const draft = (day: string, more: object = {}) => ({
    payment_expected: { amount: 120, currency: 'USD' },
    requested_delivery_date: day,
    pickup_driver: { first_name: 'Sam' },
    ...more,
  });

  test('transport orders are listed by status, date and order', async () => {
    const market = await start();
    const first = await write(market, 'POST', '/transportation/orders/', draft('2026-12-03'));
    const second = await write(market, 'POST', '/transportation/orders/', draft('2026-12-01', { status: 'planned' }));
    const third = await write(market, 'POST', '/transportation/orders/', draft('2026-12-02', { status: 'shipped' }));
    expect(first).toMatchObject({ status: 'created', number: `T-${first.id}`, display_delivery_date: '2026-12-03' });
    expect(await ids(market, '/transportation/orders/?status=planned&status=shipped')).toEqual([second.id, third.id]);
    expect(await ids(market, '/transportation/orders/?sort_by=display_delivery_date')).toEqual([
      second.id,
      third.id,
      first.id,
    ]);
    expect(await ids(market, '/transportation/orders/?delivery_date=2026-12-02')).toEqual([third.id]);
    expect(await ids(market, `/transportation/orders/?order_invoice_number=INV-${first.id}`)).toEqual([first.id]);
    expect(await ids(market, '/transportation/orders/?limit=1&offset=1')).toEqual([second.id]);
  });

  test('transport orders are updated completely, and leave the lists once they are deleted', async () => {
    const market = await start();
    const { id } = await write(market, 'POST', '/transportation/orders/', draft('2026-12-03', { notes: 'ring twice' }));
    const path = `/transportation/orders/${id}/`;
    expect(await write(market, 'PUT', path, draft('2026-12-04', { status: 'assigned' }))).toMatchObject({
      number: `T-${id}`,
      status: 'assigned',
      requested_delivery_date: '2026-12-04',
    });
    expect(await write(market, 'GET', path)).not.toHaveProperty('notes');
    await write(market, 'PUT', path, draft('2026-12-04', { status: 'deleted' }));
    expect((await market.call('GET', '/transportation/orders/')).body).toMatchObject({ count: 0, results: [] });
    expect((await market.call('PUT', path, { status: 'planned' })).status).toBe(400);
  });
});

test('transport partners and vehicles can be created and listed', async () => {
  const market = await start();
  const partner = await write(market, 'POST', '/transportation/partners/', { transport_company_id: 1 });
  expect(partner).toMatchObject({
    company: { id: 4711 },
    transport_company: { transport_company_id: 1, name: 'Overland Secure' },
  });
  expect(
    await write(market, 'PATCH', `/transportation/partners/${partner.id}/`, { transport_company_id: 2 }),
  ).toMatchObject({ transport_company: { name: 'Coastline' } });
  expect((await market.call('POST', '/transportation/partners/', { transport_company_id: 9 })).status).toBe(400);
  const van = await write(market, 'POST', '/transportation/vehicles/', { make: 'Ford', capacity: 12, state_id: 2 });
  expect(van).toMatchObject({ make: 'Ford', model_name: null, state: { abbr: 'OR', country: { iso_code: 'USA' } } });
  expect(await ids(market, '/transportation/vehicles/?search=for')).toEqual([van.id]);
  expect((await market.call('POST', '/transportation/vehicles/', { license_number: 'x'.repeat(16) })).status).toBe(400);
});

test('distribution zones can be created and listed', async () => {
  const market = await start();
  const body = {
    owner_id: 4711,
    is_active: true,
    name: 'Bay',
    facilities: [{ id: 7, name: 'East' }],
    zip_codes: [
      {
        name: 'Oakland',
        value: '94607',
        polygon: [
          [-122.29, 37.8],
          [-122.28, 37.81],
        ],
      },
    ],
  };
  const zone = await write(market, 'POST', '/distribution-zones/?company_id=4711', body);
  expect(zone).toEqual({ id: zone.id, ...body });
  const path = `/distribution-zones/${zone.id}/`;
  await write(market, 'PATCH', `${path}?company_id=4711`, { id: 77, is_active: false });
  expect(await write(market, 'GET', path)).toEqual({ ...body, id: zone.id, is_active: false });
  expect(await ids(market, '/distribution-zones/?company_id=4711')).toEqual([zone.id]);
  expect((await market.call('GET', '/distribution-zones/?company_id=12')).status).toBe(403);
  expect((await market.call('POST', '/distribution-zones/?company_id=4711', { name: 'x' })).status).toBe(400);
});
