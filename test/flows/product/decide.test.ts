import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { type Decimal, ONE } from '../../../src/domain/decimal.ts';
import { echoesOf, type WireFields } from '../../../src/flows/engine/fields.ts';
import { decideProduct } from '../../../src/flows/product/decide.ts';
import type { Listing, ProductAction, ProductSnapshot } from '../../../src/flows/product/snapshot.ts';
import { told } from '../../support/causes.ts';
import { exact } from '../../support/units.ts';

const money = (amount: string, currency = 'USD') => ({ amount: exact(amount), currency });
type ErpSide = NonNullable<ProductSnapshot['erp']>;

const FIELDS: WireFields = { sku: 'SB-1', name: 'Kush', wholesale_price: { amount: '10.00', currency: 'USD' } };

function listing(changes: Partial<Listing> = {}): Listing {
  return {
    id: 7,
    sku: 'SB-1',
    name: 'Kush',
    managed: true,
    externalId: 'P-1',
    archived: false,
    invalidRow: null,
    price: money('10.00'),
    unitMultiplier: undefined,
    fields: FIELDS,
    ...changes,
  };
}

type Changes = Partial<Omit<ProductSnapshot, 'erp' | 'linked' | 'rules' | 'candidates'>> & {
  readonly erp?: Partial<ErpSide> | null;
  /** The linked listing; null when none is linked. */
  readonly linked?: Partial<Listing> | 'not shown' | null;
  readonly rules?: Partial<ProductSnapshot['rules']>;
  readonly byExternalId?: readonly Listing[];
  readonly bySku?: readonly Listing[];
};

function snapshot(changes: Changes = {}): ProductSnapshot {
  const { erp, linked, rules, byExternalId = [], bySku = [], ...rest } = changes;
  const side = {
    id: 'P-1',
    sku: 'SB-1',
    name: 'Kush',
    sold: true,
    missing: false,
    gone: false,
    multiplier: ONE,
    erpPrice: money('10.00'),
    price: money('10.00'),
    twins: 1,
  };
  return {
    erp: erp === null ? null : { ...side, ...erp },
    linked: linked === null ? null : { id: 7, listing: linked === 'not shown' ? null : listing(linked), gone: null },
    candidates: { byExternalId, bySku },
    othersOfSku: [],
    inherits: null,
    listingsKnown: true,
    listingsUnread: null,
    alike: [],
    createInDoubt: false,
    rescaled: {},
    offersTooMuch: false,
    isPriceKept: false,
    invalidErpRow: null,
    wanted: FIELDS,
    wantedProblem: null,
    missingLine: null,
    createFields: { category: 3, quantity: 40 },
    echoes: {},
    nowMs: 0,
    archiveReason: 'with-erp',
    ...rest,
    rules: { create: true, archive: true, archivedByHand: 'hold', currency: 'USD', pricePer: 'case', ...rules },
  };
}

const decide = (changes: Changes) => decideProduct(snapshot(changes));
const NOTHING = { actions: [], holds: [], alerts: [], lookAgainMs: null };
const only = (changes: Changes) => {
  const decision = decide(changes);
  expect(decision.holds).toEqual([]);
  expect(decision.actions).toHaveLength(1);
  return decision.actions[0];
};
const heldFor = (changes: Changes) => {
  const decision = decide(changes);
  expect(decision.actions).toEqual([]);
  return told(decision.holds);
};

test('an unreadable row holds a product that is sold, and no other', () => {
  const wantedProblem = cause('field-problem', { sku: 'SB-1', problem: 'products.fields.weight: no' });
  expect(heldFor({ wantedProblem })).toBe(told([wantedProblem]));
  expect(heldFor({ wantedProblem, linked: null })).toBe(told([wantedProblem]));
  expect(only({ wantedProblem, erp: { sold: false } })).toMatchObject({ action: 'product.archive' });
  expect(only({ wantedProblem, linked: null, createInDoubt: true })).toMatchObject({ adoptOnly: true });
});

test('a product is not listed while a listing of another product still shows its SKU', () => {
  const othersOfSku = [{ listing: 9, product: 'P-9' }];
  expect(heldFor({ linked: null, othersOfSku })).toContain('sku-still-listed');
  // The create may have been applied: that is settled first.
  expect(only({ linked: null, othersOfSku, createInDoubt: true })).toMatchObject({ action: 'product.create' });
});

test('a product line that is missing comes first', () => {
  const missingLine = { name: 'Reserve', brandId: 301 };
  const names = (changes: Changes) => decide({ ...changes, missingLine }).actions.map(({ action }) => action);
  expect(names({})).toEqual(['product-line.create']);
  expect(names({ wanted: { ...FIELDS, name: 'New' } })).toEqual(['product-line.create', 'product.patch']);
  expect(names({ linked: null })).toEqual(['product-line.create', 'product.create']);
  expect(names({ linked: null, erp: { sold: false }, createInDoubt: true })).toEqual(['product.create']);
});

test.each<[string, Changes]>([
  ['both sides agree', {}],
  ['the ERP does not know it', { erp: null }],
  ['not sold and archived', { erp: { sold: false }, linked: { archived: true } }],
  ['not sold and never listed', { erp: { sold: false }, linked: null }],
  ['missing from one listing and never listed', { erp: { sold: false, missing: true }, linked: null }],
  ['listings are not created', { linked: null, rules: { create: false } }],
  [
    'gone, while the ERP sells its SKU as another product, and a listing has it',
    { erp: { sold: false, gone: true, twins: 1 }, linked: null, bySku: [listing({ id: 9, externalId: null })] },
  ],
])('a product needs no write: %s', (_, changes) => expect(decide(changes)).toEqual(NOTHING));

test("a new listing is created with the ERP's values and the configured fields", () => {
  expect(only({ linked: null })).toMatchObject({
    action: 'product.create',
    before: null,
    fields: { ...FIELDS, category: 3, quantity: 40 },
    adoptOnly: false,
  });
});

test('a value of the ERP takes precedence over the configured fields of a listing', () => {
  const createFields = { name: 'from the settings', category: 3 };
  expect(only({ linked: null, createFields })).toMatchObject({ fields: { name: 'Kush', category: 3 } });
});

test('a listing is not created before all listings have been read: it may exist', () => {
  expect(heldFor({ linked: null, listingsKnown: false })).toBe('listings-unread {}');
});

test.each([
  ['0', 'USD', 'price-not-positive {"sku":"SB-1","price":"0.00 USD"}'],
  ['-1', 'USD', 'price-not-positive {"sku":"SB-1","price":"-1.00 USD"}'],
  ['10', 'EUR', 'price-currency {"sku":"SB-1","shown":"EUR","wanted":"USD"}'],
])('a new listing is held at a price of %s %s', (amount, currency, reason) => {
  expect(heldFor({ linked: null, erp: { price: money(amount, currency) } })).toContain(reason);
});

test.each(['', '  '])('a new listing is held without a name ("%s"), since the marketplace requires one', (name) => {
  expect(heldFor({ linked: null, wanted: { ...FIELDS, name } })).toBe('name-missing {"sku":"SB-1"}');
});

test('an unanswered create of a listing is settled whether or not it is wanted, and repeated only when wanted', () => {
  const inDoubt = { linked: null, createInDoubt: true };
  expect(only(inDoubt)).toMatchObject({ action: 'product.create', adoptOnly: false });
  expect(only({ ...inDoubt, rules: { create: false } })).toMatchObject({ adoptOnly: true });
  expect(only({ ...inDoubt, erp: { sold: false } })).toMatchObject({ adoptOnly: true });
  expect(only({ ...inDoubt, erp: { sold: false, missing: true } })).toMatchObject({ adoptOnly: true });
  expect(only({ ...inDoubt, erp: { sold: false, price: money('0') } })).toMatchObject({ adoptOnly: true });
});

describe('listings that are there already are adopted', () => {
  const free = (id: number, changes: Partial<Listing> = {}) => listing({ id, externalId: null, ...changes });

  test.each<[string, Changes, number, string]>([
    ['by external id', { byExternalId: [listing({ id: 8 })] }, 8, 'external_id'],
    ['by external id before SKU', { byExternalId: [listing({ id: 8 })], bySku: [free(9)] }, 8, 'external_id'],
    ['by SKU', { bySku: [free(9)] }, 9, 'sku'],
    ['a live one before an archived one', { bySku: [free(9, { archived: true }), free(10)] }, 10, 'sku'],
    ['an archived one, when it is the only one', { bySku: [free(9, { archived: true })] }, 9, 'sku'],
    ['although it is not sold any more', { erp: { sold: false }, bySku: [free(9)] }, 9, 'sku'],
  ])('an existing listing is adopted: %s', (_, changes, listingId, how) => {
    expect(decide({ linked: null, ...changes }).actions[0]).toMatchObject({ action: 'product.link', listingId, how });
  });

  test.each<[string, Changes, string]>([
    [
      'two of one external id',
      { byExternalId: [listing({ id: 8 }), listing({ id: 9 })] },
      'several-listings {"sign":"external id","value":"P-1","listings":["8","9"]}',
    ],
    [
      'two of one SKU',
      { bySku: [free(8), free(9)] },
      'several-listings {"sign":"SKU","value":"SB-1","listings":["8","9"]}',
    ],
    [
      'two archived of one SKU',
      { bySku: [free(8, { archived: true }), free(9, { archived: true })] },
      'several-listings',
    ],
    [
      "another product's",
      { bySku: [free(8), free(9, { externalId: 'P-9' })] },
      'listing-of-another {"listing":9,"sku":"SB-1","externalId":"P-9","product":"P-1"}',
    ],
  ])('an existing listing is not adopted if the match is ambiguous: %s', (_, changes, reason) => {
    expect(heldFor({ linked: null, ...changes })).toContain(reason);
    expect(decide({ linked: null, ...changes }).awaitsLink).toBe(true);
  });
});

test.each<[string, Changes]>([
  ['known', { erp: { sold: false } }],
  ['never seen whole', { erp: null, linked: null }],
])('an unreadable row of the ERP holds its product, and archives nothing: %s', (_, changes) => {
  expect(heldFor({ ...changes, invalidErpRow: 'price.amount: x' })).toBe(
    'erp-product-invalid {"problem":"price.amount: x"}',
  );
});

test.each<[string, Changes]>([
  ['linked', {}],
  ['not linked', { linked: null }],
  ['not sold', { erp: { sold: false } }],
])('two ERP products of one SKU: %s is held, since the match is ambiguous', (_, changes) => {
  expect(heldFor({ ...changes, erp: { ...changes.erp, twins: 2 } })).toBe('sku-twice {"sku":"SB-1","count":2}');
});

test('a link decides between two ERP products of one SKU', () => {
  expect(decide({ linked: null, erp: { twins: 2 } }).awaitsLink).toBe(true);
  expect(decide({ erp: { twins: 2 } }).awaitsLink).toBeUndefined();
});

test('a linked listing that is missing waits until all have been read, and is then held: it is not created again automatically', () => {
  expect(heldFor({ linked: 'not shown', listingsKnown: false })).toBe('listings-unread {}');
  expect(heldFor({ linked: 'not shown' })).toContain('listing-gone {"listing":7');
});

test('a listing that was created again is linked, and archived when the ERP no longer sells the product', () => {
  const gone = { linked: 'not shown', erp: { sold: false } } as const;
  expect(decide(gone)).toMatchObject({ actions: [], holds: [] });
  expect(only({ ...gone, bySku: [listing({ id: 8 })] })).toMatchObject({ action: 'product.relink', listingId: 8 });
  expect(decide({ ...gone, bySku: [listing({ id: 8, archived: true })] }).actions).toEqual([]);
  expect(decide({ ...gone, erp: { sold: false, gone: true, twins: 1 }, bySku: [listing({ id: 8 })] }).actions).toEqual(
    [],
  );
});

test('an unreadable linked listing is held with the place of the invalid row', () => {
  expect(heldFor({ linked: { invalidRow: 'quantity: expected a decimal' } })).toBe(
    'listing-invalid {"listing":7,"problem":"quantity: expected a decimal"}',
  );
});

describe('archived', () => {
  test('a listing is archived when the ERP no longer sells it, and counts for the brake', () => {
    expect(only({ erp: { sold: false } })).toMatchObject({ action: 'product.archive', listingId: 7, brake: 'archive' });
  });
  test('a product is not archived after only one list that lacks it', () => {
    expect(heldFor({ erp: { sold: false, missing: true } })).toContain('product-missing-once');
  });
  test('a product is not archived where archiving is off, and an alert says so', () => {
    expect(decide({ erp: { sold: false }, rules: { archive: false } })).toMatchObject({
      actions: [],
      holds: [],
      alerts: [{ code: 'archive-off' }],
    });
  });
  test('a listing is archived although its price could not be written', () => {
    expect(only({ erp: { sold: false, price: money('0') } })).toMatchObject({ action: 'product.archive' });
  });
  test('a product that is sold again is brought back, where the marketplace keeps no quantity', () => {
    const linked = { archived: true, managed: false, fields: {} };
    expect(only({ linked })).toMatchObject({ action: 'product.restore', listingId: 7 });
  });
  test('a product that is sold again and has a quantity is brought back by the flow of its stock', () => {
    expect(heldFor({ linked: { archived: true } })).toBe('comes-back-with-stock {"listing":7,"sku":"SB-1"}');
  });
  test('a product that is sold again is not brought back with a price that is not above zero', () => {
    const changes = { linked: { archived: true }, erp: { price: money('0') } };
    expect(heldFor(changes)).toContain('price-not-positive');
  });
});

test('only differing fields of a listing are patched, with the old and the new value', () => {
  expect(only({ linked: { fields: { ...FIELDS, name: 'Haze', colour: 'green' } } })).toMatchObject({
    action: 'product.patch',
    before: 'name "Haze"',
    after: 'name "Kush"',
    fields: { name: 'Kush' },
  });
});

test("an edit by a person is overwritten with the ERP's value, and raises an alert for a day", () => {
  const echoes = echoesOf({ name: 'Kush' }, { name: 'Kush' }, {});
  const replaced = only({ linked: { fields: { ...FIELDS, name: 'Mine' } }, echoes });
  expect(replaced).toMatchObject({ why: expect.stringContaining('changed on the marketplace') });
  expect(replaced).toMatchObject({ replaced: { name: '"Mine"' }, fields: { name: 'Kush' } });
  const after = echoesOf({ name: 'Kush' }, FIELDS, echoes, { replaced: { name: '"Mine"' }, nowMs: 5 });
  const tellsAt = (nowMs: number) => decide({ linked: {}, echoes: after, nowMs }).alerts.map(({ code }) => code);
  expect(tellsAt(6)).toEqual(['listing-set-back']);
  expect(tellsAt(6 + 24 * 60 * 60_000)).toEqual([]);
});

test('a listing that differs because the ERP changed counts as no edit by a person', () => {
  const echoes = echoesOf({ name: 'Old' }, { name: 'Old' }, {});
  expect(only({ linked: { fields: { ...FIELDS, name: 'Old' } }, echoes })).toMatchObject({ replaced: {} });
});

test('the marketplace’s own form of our last write is left unchanged', () => {
  const fields = { ...FIELDS, name: 'KUSH' };
  expect(decide({ linked: { fields }, echoes: echoesOf({ name: 'Kush' }, fields, {}) })).toEqual(NOTHING);
});

test.each([
  ['10.00', '15.00', '50'],
  ['10.00', '4.00', '-60'],
  ['3.00', '3.01', '0.33333333333333333333'],
])('a price from %s to %s moves by %s percent, and a brake judges it', (from, to, percent) => {
  const wanted = { ...FIELDS, wholesale_price: { amount: to, currency: 'USD' } };
  const action = only({ wanted, erp: { price: money(to) }, linked: { price: money(from) } });
  expect(action?.brake).toBe('price');
  expect((action?.changePercent as Decimal | undefined)?.toFixed(20).startsWith(percent)).toBe(true);
});

test.each([
  ['of a unit where a case is sold: 10 -> 120', '10', '10', '120', 'reprice'],
  ['of a case where a unit is sold: 120 -> 10', '120', '120', '10', 'reprice'],
  ['of a case, as settings said before: 120 -> 10', '120', '10', '10', 'reprice'],
  ['of another day: 119 -> 120', '119', '10', '120', 'price'],
])('a listing with the price of the ERP %s', (_, shown, inErp, to, brake) => {
  const wanted = { ...FIELDS, wholesale_price: { amount: to, currency: 'USD' } };
  const erp = { multiplier: exact('12'), erpPrice: money(inErp), price: money(to) };
  expect(only({ wanted, erp, linked: { price: money(shown) } })?.brake).toBe(brake);
});

test('the price of a case and its size go in one write, which a brake holds as one', () => {
  const wanted = { ...FIELDS, unit_multiplier: '24', wholesale_price: { amount: '240', currency: 'USD' } };
  const fields = { ...FIELDS, unit_multiplier: '12', wholesale_price: { amount: '120', currency: 'USD' } };
  const erp = { multiplier: exact('24'), erpPrice: money('10'), price: money('240') };
  const rescaled = { available_inventory: '10' };
  expect(decide({ wanted, erp, rescaled, linked: { price: money('120'), fields } }).actions).toMatchObject([
    {
      action: 'product.price',
      before: '120 USD',
      after: '240 USD for a case of 24',
      fields: { wholesale_price: wanted.wholesale_price, unit_multiplier: '24', ...rescaled },
      brake: 'price',
    },
  ]);
});

test('a larger case and its price wait while the facilities offer too much for it, and nothing else waits', () => {
  const wanted = {
    ...FIELDS,
    description: 'Now in blue',
    unit_multiplier: '24',
    wholesale_price: { amount: '240', currency: 'USD' },
  };
  const fields = { ...FIELDS, unit_multiplier: '12', wholesale_price: { amount: '120', currency: 'USD' } };
  const erp = { multiplier: exact('24'), erpPrice: money('10'), price: money('240') };
  const decided = decide({ wanted, erp, offersTooMuch: true, linked: { price: money('120'), fields } });
  expect(decided.actions).toMatchObject([{ action: 'product.patch', fields: { description: 'Now in blue' } }]);
  expect(Object.keys(decided.actions[0] && 'fields' in decided.actions[0] ? decided.actions[0].fields : {})).toEqual([
    'description',
  ]);
  expect(decided.lookAgainMs).toBeGreaterThan(0);
  expect(decided.alerts).toMatchObject([{ code: 'larger-case-waits', params: { units: '24' } }]);
});

test('a price that the ERP stores with fewer digits is not written back', () => {
  const wanted = { ...FIELDS, wholesale_price: { amount: '99.96', currency: 'USD' } };
  const fields = { ...FIELDS, wholesale_price: { amount: '100.00', currency: 'USD' } };
  const changes = { wanted, erp: { price: money('99.96') }, linked: { price: money('100'), fields } };
  expect(decide({ ...changes, isPriceKept: true }).actions).toEqual([]);
  expect(decide(changes).actions).toHaveLength(1);
});

test('a first price is a price change too, with nothing to compare it to', () => {
  for (const price of [undefined, money('0.00')]) {
    const action = only({ linked: { price, fields: { ...FIELDS, wholesale_price: null } } });
    expect(action).toMatchObject({ brake: 'price' });
    expect(action).not.toHaveProperty('changePercent');
  }
});

test('a patch without a price does not count for the price brake', () => {
  expect(only({ linked: { fields: { ...FIELDS, name: 'Haze' } } })).not.toHaveProperty('brake');
});

test('an empty product name in the ERP holds the name, and the other fields are written', () => {
  const { actions, holds } = decide({ wanted: { ...FIELDS, name: '', description: 'New' } });
  expect(actions).toMatchObject([{ action: 'product.patch', fields: { description: 'New' } }]);
  expect(actions[0]).not.toHaveProperty('fields.name');
  expect(told(holds)).toBe('name-missing {"sku":"SB-1"}');
});

test.each<[string, Changes]>([
  ['in another currency in the ERP', { erp: { price: money('10', 'EUR') } }],
  ['in another currency on the listing', { linked: { price: money('10', 'EUR') } }],
  ['at zero', { erp: { price: money('0') } }],
  ['below zero', { erp: { price: money('-1') } }],
])('a price %s is held, and the other fields are written', (_, changes) => {
  const { price: amount = money('10') } = changes.erp ?? {};
  const wanted = { ...FIELDS, name: 'New', wholesale_price: { ...amount, amount: amount.amount.toFixed() } };
  const decision = decide({ ...changes, wanted });
  expect(decision.actions).toMatchObject([{ action: 'product.patch', fields: { name: 'New' } }]);
  expect(told(decision.holds)).toMatch(/^(price-currency|listing-currency|price-not-positive) /);
  expect(decide(changes).holds).toEqual(decision.holds);
});

test('a price is written on its own after the other fields, so that a brake holds only the price', () => {
  const wanted = { ...FIELDS, name: 'New', wholesale_price: { amount: '12.5', currency: 'USD' } };
  expect(decide({ wanted, erp: { price: money('12.50') } }).actions).toMatchObject([
    { action: 'product.patch', after: 'name "New"', fields: { name: 'New' } },
    { action: 'product.price', before: '10 USD', after: '12.5 USD', brake: 'price' },
  ]);
});

test('an unsold listing that matches is linked and archived, and counts for the brake first', () => {
  const bySku = [listing({ id: 9, externalId: null })];
  const actions = (changes: Changes) => decide({ linked: null, bySku, ...changes }).actions.map(({ action }) => action);
  const unsold = { erp: { sold: false } };
  expect(actions(unsold)).toEqual(['product.link', 'product.archive']);
  expect(actions({})).toEqual(['product.link']);
  expect(actions({ erp: { sold: false, missing: true } })).toEqual(['product.link']);
  expect(actions({ ...unsold, rules: { archive: false } })).toEqual(['product.link']);
  expect(actions({ ...unsold, bySku: [listing({ externalId: null, archived: true })] })).toEqual(['product.link']);
});

describe('applied until nothing is left, it takes few steps and the last look finds nothing', () => {
  const names = fc.constantFrom('Kush', 'Haze', '');
  const some = fc.record({
    sold: fc.boolean(),
    missing: fc.boolean(),
    price: fc.constantFrom('10.00', '12.5', '0'),
    linked: fc.boolean(),
    archived: fc.boolean(),
    managed: fc.boolean(),
    shown: names,
    wanted: names,
    free: fc.boolean(),
    create: fc.boolean(),
    archive: fc.boolean(),
    inDoubt: fc.boolean(),
    /** The spelling that this marketplace gives to a name. */
    normalises: fc.boolean(),
  });
  test.each([true, false])(
    'decisions on a product settle in few steps, after which nothing is left (the create in doubt was applied: %s)',
    (wasApplied) => {
      fc.assert(
        fc.property(some, (given) => {
          let now = snapshot({
            erp: { sold: given.sold, missing: given.missing && !given.sold, price: money(given.price) },
            linked: given.linked
              ? { archived: given.archived, managed: given.managed, fields: { ...FIELDS, name: given.shown } }
              : null,
            bySku: given.free && !given.linked ? [listing({ externalId: null, fields: { name: given.shown } })] : [],
            wanted: { ...FIELDS, name: given.wanted },
            createInDoubt: given.inDoubt,
            rules: { create: given.create, archive: given.archive },
          });
          let steps = 0;
          for (; decideProduct(now).actions[0] !== undefined && steps < 9; steps += 1) {
            const [action] = decideProduct(now).actions;
            if (action !== undefined) now = applied(now, action, given.normalises, wasApplied);
          }
          expect(steps).toBeLessThanOrEqual(4);
          expect(decideProduct(now).actions).toEqual([]);
        }),
        { numRuns: 500 },
      );
    },
  );
});

/** The snapshot of the marketplace and the store after an action. */
function applied(
  now: ProductSnapshot,
  action: ProductAction,
  normalises: boolean,
  wasApplied: boolean,
): ProductSnapshot {
  const fieldsOf = (sent: WireFields) =>
    normalises && typeof sent['name'] === 'string'
      ? { ...sent, name: `${sent['name']} (${sent['name'].length})` }
      : sent;
  const linked = (made: Listing) => ({
    ...now,
    linked: { id: made.id, listing: made, gone: null },
    candidates: { byExternalId: [], bySku: [] },
    inherits: null,
    createInDoubt: false,
  });
  const shown = now.linked?.listing ?? listing();
  switch (action.action) {
    case 'product-line.create':
      return { ...now, missingLine: null };
    case 'product.relink':
      return linked(now.inherits?.listing ?? listing());
    case 'product.link':
      return linked(now.candidates.bySku[0] ?? listing());
    case 'product.create': {
      if (action.adoptOnly && !wasApplied) return { ...now, createInDoubt: false };
      const fields = fieldsOf(action.fields);
      return { ...linked(listing({ fields })), echoes: echoesOf(action.fields, fields, {}) };
    }
    case 'product.price':
    case 'product.patch': {
      const fields = { ...shown.fields, ...fieldsOf(action.fields) };
      return { ...linked({ ...shown, fields }), echoes: echoesOf(action.fields, fields, now.echoes) };
    }
    case 'product.archive':
      return linked({ ...shown, archived: true });
    case 'product.restore':
      return linked({ ...shown, archived: false });
  }
}
