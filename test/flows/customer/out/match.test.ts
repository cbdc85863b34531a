import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Identity,
  matchCustomer,
  matchErpCustomer,
  matchMarketplaceCustomer,
} from '../../../../src/flows/customer/out/match.ts';
import { useShelf } from '../../../store/shelf.ts';
import { told } from '../../../support/causes.ts';

const who = (id: string, more: Partial<Identity> = {}): Identity => ({
  id,
  name: '',
  names: null,
  licenseKey: null,
  emailKey: null,
  linkedTo: null,
  gone: false,
  ...more,
});
const SIDES = { own: 'ERP customer', other: 'marketplace customer' };
const matched = (own: Identity, others: Identity[], rivals: Identity[]) => {
  const found = matchCustomer(own, others, rivals, SIDES);
  return found.kind === 'one'
    ? `${found.other.id} by ${found.by}`
    : found.kind === 'none'
      ? 'none'
      : told([found.cause]);
};
const both = { licenseKey: 'L1', emailKey: 'a@b' };

test.each<[string, Identity, Identity[], Identity[], string | RegExp]>([
  ['nobody like it', who('C-1', both), [who('7', { emailKey: 'x@y' })], [], 'none'],
  ['its id over there', who('C-1'), [who('7', { names: 'C-1' })], [], '7 by external_id'],
  ['the id it names', who('C-1', { names: '7' }), [who('7')], [], '7 by external_id'],
  [
    'external id before licence',
    who('C-1', both),
    [who('7', { names: 'C-1' }), who('8', both)],
    [],
    '7 by external_id',
  ],
  [
    'licence before e-mail',
    who('C-1', both),
    [who('7', { licenseKey: 'L1' }), who('8', { emailKey: 'a@b' })],
    [],
    '7 by license_number',
  ],
  ['e-mail at last', who('C-1', both), [who('8', { emailKey: 'a@b' })], [], '8 by email'],
  ['e-mail of another licence', who('C-1', both), [who('8', { emailKey: 'a@b', licenseKey: 'L2' })], [], 'none'],
  [
    'two of one licence',
    who('C-1', both),
    [who('7', both), who('8', both)],
    [],
    /^customer-several .*marketplace customers 7, 8/,
  ],
  [
    'the one of two that is not archived',
    who('C-1', both),
    [who('7', { ...both, gone: true }), who('8', both)],
    [],
    '8 by license_number',
  ],
  [
    'it names one and is named by another',
    who('C-1', { names: '7' }),
    [who('7'), who('8', { names: 'C-1' })],
    [],
    /7, 8/,
  ],
  [
    'it names nobody',
    who('C-1', { ...both, names: '9' }),
    [who('7', both)],
    [],
    /^customer-id-unknown .*"id":"9","other":"marketplace customer"/,
  ],
  [
    'a customer that belongs to another by its link',
    who('C-1', both),
    [who('7', { ...both, linkedTo: 'C-2' })],
    [],
    /^customer-of-another .*"other":"marketplace customer 7","owner":"ERP customer C-2"/,
  ],
  [
    'a customer that belongs to another by its external id',
    who('C-1', both),
    [who('7', { ...both, names: 'C-2' })],
    [],
    /^customer-of-another .*"owner":"ERP customer C-2"/,
  ],
  [
    'two claim it',
    who('C-1', both),
    [who('7', both)],
    [who('C-2', both)],
    /^customer-claimed {"other":"marketplace customer 7","claimants":"ERP customers C-1, C-2","sign":"licence number"}/,
  ],
  ['one that names it', who('C-1', both), [who('7', both)], [who('C-2', { names: '7' })], /C-1, C-2/],
  [
    'a claimant that is linked',
    who('C-1', both),
    [who('7', both)],
    [who('C-2', { ...both, linkedTo: '5' })],
    '7 by license_number',
  ],
  [
    'a claimant that has left',
    who('C-1', both),
    [who('7', both)],
    [who('C-2', { ...both, gone: true })],
    '7 by license_number',
  ],
  [
    'twins, and nobody over there',
    who('C-1', both),
    [],
    [who('C-2', { emailKey: 'a@b' })],
    /^customers-alike {"customers":"ERP customers C-1, C-2","sign":"e-mail/,
  ],
  [
    'twins that are linked already',
    who('C-1', both),
    [],
    [who('C-2', { ...both, linkedTo: '5' })],
    /^customers-alike .*C-1, C-2","sign":"licence/,
  ],
  ['two shops of one owner', who('C-1', both), [], [who('C-2', { emailKey: 'a@b', licenseKey: 'L2' })], 'none'],
  ['a customer that has left, by a likeness', who('C-1', { ...both, gone: true }), [who('7', both)], [], 'none'],
  [
    'a customer that has left, by its id',
    who('C-1', { gone: true }),
    [who('7', { names: 'C-1' })],
    [],
    '7 by external_id',
  ],
])('matching a customer: %s', (_what, own, others, rivals, expected) => {
  expect(matched(own, others, [own, ...rivals])).toMatch(
    typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected,
  );
});

const anyone = (prefix: string, named: string) =>
  fc
    .uniqueArray(
      fc.record({
        n: fc.nat(4),
        names: fc.option(fc.nat(4)),
        license: fc.option(fc.nat(2)),
        email: fc.option(fc.nat(2)),
        gone: fc.boolean(),
      }),
      {
        maxLength: 5,
        selector: ({ n }) => n,
      },
    )
    .map((rows) =>
      rows.map(({ n, names, license, email, gone }) =>
        who(`${prefix}${n}`, {
          names: names === null ? null : `${named}${names}`,
          licenseKey: license === null ? null : `L${license}`,
          emailKey: email === null ? null : `e${email}`,
          gone,
        }),
      ),
    );

test('for any customers of both sides: none is created who has a match, and no two are linked to one', () => {
  fc.assert(
    fc.property(anyone('C', 'M'), anyone('M', 'C'), (erp, market) => {
      const [inErp, there] = [
        erp.map((own) => ({ own, match: matchCustomer(own, market, erp, SIDES) })),
        market.map((own) => ({ own, match: matchCustomer(own, erp, market, SIDES) })),
      ];
      const isLike = (a: Identity, b: Identity) =>
        (a.licenseKey !== null && a.licenseKey === b.licenseKey) ||
        (a.emailKey !== null && a.emailKey === b.emailKey && (a.licenseKey === null || b.licenseKey === null));
      for (const { own, match } of [...inErp, ...there]) {
        if (own.gone || match.kind !== 'none') continue;
        const alike = [...erp, ...market].filter((one) => one !== own && (one.names === own.id || isLike(own, one)));
        // A customer that is made may resemble only customers that have left the same side.
        for (const one of alike) expect([one.gone, one.id[0]]).toEqual([true, own.id[0]]);
      }
      // The flow of the ERP's customers links. The other flow waits for it.
      const linked = inErp.flatMap(({ match }) => (match.kind === 'one' ? [match.other.id] : []));
      expect(new Set(linked).size, 'linked twice').toBe(linked.length);
    }),
    { numRuns: 2_000 },
  );
});

const shelf = useShelf();

test('duplicate customers of the ERP are found, whatever else they have', async () => {
  const { store } = shelf();
  const base = { marketplaceId: null, changedAt: null };
  const one = { ...base, id: 'C-1', name: 'One', licenseNumber: 'L-1', email: 'x', active: true };
  const two = { ...base, id: 'C-2', name: 'Two', licenseNumber: 'l-1' };
  await store.erp.recordCustomers('main', [one, two], 'poll');
  for (const customer of [one, two]) {
    const { like } = await store.observe.customerOut('main', customer.id, []);
    expect(matchErpCustomer(customer, like)).toMatchObject({ kind: 'conflict' });
  }
});

test('a customer that the ERP has deleted matches nobody and claims nobody', async () => {
  const { store } = shelf();
  const base = { name: 'Corner Shop', licenseNumber: 'L-1', changedAt: null };
  const deleted = { ...base, id: 'C-1', marketplaceId: 7, active: false, deleted: true } as const;
  const live = { ...base, id: 'C-2', marketplaceId: null };
  await store.customers.record({
    account: 'main',
    rows: [
      {
        customer: {
          id: 7,
          name: 'Corner Shop',
          externalId: 'C-1',
          licenseNumber: 'L-1',
          email: null,
          archived: false,
          modified: null,
        },
        content: '{}',
      },
    ],
    invalidRows: [],
    window: null,
    lane: 'poll',
  });
  await store.erp.recordCustomers('main', [deleted], 'poll');
  const out = async (id: string) => (await store.observe.customerOut('main', id, [])).like;
  const there = async () => {
    const { customer, like } = await store.observe.customerIn('main', 7, []);
    if (customer === null) throw new Error('it is there');
    return matchMarketplaceCustomer(customer, like);
  };
  expect(matchErpCustomer(deleted, await out('C-1'))).toEqual({ kind: 'none' });
  expect(await there()).toEqual({ kind: 'none' });
  await store.erp.recordCustomers('main', [live], 'poll');
  expect(await there()).toMatchObject({ kind: 'one', other: { id: 'C-2' }, by: 'license_number' });
  expect(matchErpCustomer(live, await out('C-2'))).toMatchObject({ kind: 'conflict' });
});
