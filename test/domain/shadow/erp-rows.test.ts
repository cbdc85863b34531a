import { describe, expect, test } from 'vitest';
import { dueOfTwins, withErpProduct } from '../../../src/domain/shadow/erp-products.ts';
import { wholeOf, withErpStock } from '../../../src/domain/shadow/erp-stock.ts';
import { withErpPayment, withPayment } from '../../../src/domain/shadow/payments.ts';
import { isOutdated, isOutdatedInErp } from '../../../src/domain/shadow/row.ts';
import { at, d, erpProduct, stockRow } from '../../store/shelf.ts';

const keys = (due: readonly { flow: string; key: string }[]) => due.map(({ flow, key }) => `${flow} ${key}`);

describe('a product of the ERP', () => {
  const read = { listing: null, mended: false };
  const known = withErpProduct(undefined, erpProduct(), read).row ?? undefined;

  test.each<[string, Parameters<typeof erpProduct>[0], string[]]>([
    ['name', { name: 'Haze' }, ['product P-1']],
    ['price', { price: { amount: d('12.51'), currency: 'USD' } }, ['product P-1']],
    ['attributes', { attributes: { strain: 'y' } }, ['product P-1']],
    ['units per case', { unitMultiplier: d('6') }, ['product P-1', 'stock P-1']],
    ['SKU', { sku: 'SB-9' }, ['product P-1', 'stock P-1']],
    ['activity', { active: false }, ['product P-1', 'stock P-1']],
    ['deletion', { deleted: true }, ['product P-1', 'stock P-1']],
  ])('an ERP product with another %s marks what depends on it', (_, change, expected) => {
    expect(keys(withErpProduct(known, erpProduct(change), read).due)).toEqual(expected);
  });

  test('an unchanged ERP product is no change; it is marked when its row is valid again', () => {
    expect(withErpProduct(known, erpProduct({ changedAt: at(1) }), read)).toEqual({
      row: null,
      isOther: false,
      due: [],
    });
    expect(keys(withErpProduct(known, erpProduct(), { ...read, mended: true }).due)).toEqual(['product P-1']);
  });

  test('an ERP product that was absent and returns has changed; a single read keeps the list that saw it last', () => {
    const absent = known && { ...known, absences: 2, listing: 7 };
    expect(withErpProduct(absent, erpProduct(), read)).toMatchObject({
      row: { absences: 0, listing: 7 },
      due: [
        { flow: 'product', key: 'P-1' },
        { flow: 'stock', key: 'P-1' },
      ],
    });
    expect(withErpProduct(absent, erpProduct(), { ...read, listing: 8 }).row?.listing).toBe(8);
  });

  test('a changed ERP product marks every other product with its SKU', () => {
    expect(keys(dueOfTwins('P-1', 'SB-1', ['P-1', 'P-2']))).toEqual(['product P-2', 'stock P-2']);
  });
});

describe('stock of the ERP', () => {
  const known = withErpStock(undefined, stockRow(), false).row ?? undefined;
  const reading = { kind: 'reading', key: 'P-1', part: '', before: '100', after: '99', asOf: at(1) };

  test('ERP stock is stored with a new time, and marked when a figure changed or its row is valid again', () => {
    expect(withErpStock(known, stockRow(), false)).toMatchObject({ row: null, due: [] });
    expect(withErpStock(known, stockRow({ asOf: at(1) }), false)).toMatchObject({ row: { asOf: at(1) }, due: [] });
    expect(keys(withErpStock(known, stockRow(), true).due)).toEqual(['stock P-1']);
    const other = withErpStock(known, stockRow({ available: d('99'), asOf: at(1) }), false);
    expect([keys(other.due), other.isOther, other.history]).toEqual([['stock P-1'], true, [reading]]);
  });

  test('an unusable stock figure of the ERP is unknown', () => {
    const broken = withErpStock(known, stockRow({ problem: 'it does not add up', asOf: at(1) }), false);
    expect(broken.history).toEqual([{ ...reading, after: null }]);
  });

  const [east, lot] = [stockRow({ location: 'EAST' }), stockRow({ location: 'EAST', batch: 'LOT-7' })];
  const whole = stockRow({ asOf: at(1) });

  test.each([
    ['nothing, where there are no rows', [], null],
    ['the only place', [east], east],
    ['the row without a place', [whole, east, lot], whole],
    [
      'the only place, where the ERP has shown it later than the whole',
      [stockRow(), { ...east, asOf: at(1) }],
      { ...east, asOf: at(1) },
    ],
  ])('the total stock of an ERP product is %s', (_, rows, expected) => {
    expect(wholeOf(rows)).toEqual(expected);
  });

  test.each([
    ['at several places', [east, lot]],
    ['at several places, one of them shown later than the whole', [stockRow(), east, { ...lot, asOf: at(1) }]],
  ])('stock of an ERP product %s is no total until the locations are mapped', (_, rows) => {
    expect(wholeOf(rows)?.problem).toMatch('it lies at EAST, EAST batch LOT-7: map them');
  });
});

describe('payments', () => {
  const payment = {
    id: '7',
    orderNumber: 'o-1',
    total: d('50.00'),
    currency: 'USD',
    type: 'cash',
    paidAt: at(0),
    createdAt: at(1),
  };
  const how = { erpId: null, mended: false, nowMs: 1 };
  const known = withPayment(undefined, payment, how).row ?? undefined;

  test('marketplace payments are marked on both sides when they are new, changed or valid again', () => {
    expect(keys(withPayment(undefined, payment, how).due)).toEqual(['payment-in 7']);
    expect(withPayment(known, { ...payment, createdAt: at(2) }, how)).toEqual({ row: null, due: [] });
    expect(keys(withPayment(known, payment, { ...how, mended: true }).due)).toEqual(['payment-in 7']);
    const changed = withPayment(known, { ...payment, total: d('60') }, { ...how, erpId: 'PAY-1' });
    expect(keys(changed.due)).toEqual(['payment-in 7', 'payment-out PAY-1']);
  });

  test('ERP payments are marked when they are new, changed, voided or valid again', () => {
    const { id, currency } = payment;
    const inErp = {
      id,
      currency,
      reference: 'o-1',
      amount: d('50'),
      method: null,
      receivedAt: null,
      marketplaceId: null,
    };
    const told = { ...inErp, voided: false, changedAt: at(0) };
    const why = (...args: Parameters<typeof withErpPayment>) => withErpPayment(...args).due.map((due) => due.why);
    const kept = withErpPayment(undefined, told, how).row ?? undefined;
    expect(why(undefined, told, how)).toEqual(['payment seen for the first time in the ERP']);
    expect(why(kept, { ...told, changedAt: at(1) }, how)).toEqual([]);
    expect(why(kept, { ...told, voided: true }, how)).toEqual(['payment voided in the ERP']);
    expect(why(kept, told, { ...how, mended: true })).toEqual(['payment changed in the ERP']);
  });
});

test('an answer that a later one overtook is outdated; one without a time never is', () => {
  expect(isOutdated({ modified: at(5) }, { modified: at(4) })).toBe(true);
  expect(isOutdated({ modified: at(5) }, { modified: at(5) })).toBe(false);
  for (const before of [undefined, { modified: null }]) expect(isOutdated(before, { modified: at(4) })).toBe(false);
  expect(isOutdated({ modified: at(5) }, { modified: null })).toBe(false);
});

test('a page of the ERP that was overtaken is outdated, but not after its clock was set back by an hour', () => {
  expect(isOutdatedInErp({ changedAt: at(5) }, { changedAt: at(4) })).toBe(true);
  expect(isOutdatedInErp({ changedAt: at(60) }, { changedAt: at(0) })).toBe(false);
  for (const before of [undefined, { changedAt: null }])
    expect(isOutdatedInErp(before, { changedAt: at(4) })).toBe(false);
});
