import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sentencesOf } from '../../../../src/domain/causes/cause.ts';
import { sum } from '../../../../src/domain/decimal.ts';
import { type BaseRecord, quantitiesOf } from '../../../../src/domain/order-base.ts';
import type { ErpOrderLine } from '../../../../src/erp/connector.ts';
import { compare, linesAtKeptPrices, type Wanted } from '../../../../src/flows/order/in/compare.ts';
import { editOnMarketplace, pricesOnMarketplace } from '../../../../src/flows/order/in/marketplace-lines.ts';
import type { OrderInAction, OrderInSnapshot } from '../../../../src/flows/order/in/snapshot.ts';
import { showLines } from '../../../../src/flows/order/in/wanted.ts';
import type { StoredErpOrder } from '../../../../src/store/erp.ts';
import type { StoredOrder } from '../../../../src/store/marketplace.ts';
import { exact, IN_UNITS } from '../../../support/units.ts';

/** `5 x SB-1 at 4.51`. */
function linesOf(texts: readonly string[]): ErpOrderLine[] {
  return texts.map((text) => {
    const [quantity = '', , sku = '', , price = ''] = text.split(' ');
    return { sku, quantity: exact(quantity), unitPrice: exact(price) };
  });
}

type Lines = readonly (ErpOrderLine & { readonly id: number })[];

const SNAPSHOT = {
  number: 'o-1',
  listings: new Map(['SB-1', 'SB-2'].map((sku, at) => [sku, { id: at, archived: false, unitMultiplier: null }])),
  rules: { units: IN_UNITS, currency: 'USD' },
} as unknown as OrderInSnapshot;

const LISTED = ['SB-1', 'SB-2'];

function editOf(lines: Lines, erpLines: readonly ErpOrderLine[]) {
  const stored = lines.map(({ id, sku, quantity }) => ({ id, productId: LISTED.indexOf(sku), quantity }));
  return {
    snapshot: SNAPSHOT,
    stored: { lines: stored.map((line) => ({ ...line, unitMultiplier: null })) } as unknown as StoredOrder,
    erpOrder: { id: 'E-1', lines: erpLines } as unknown as StoredErpOrder,
    wanted: { lines, prices: [] } as unknown as Wanted,
  };
}

const placed = (texts: readonly string[]): Lines => linesOf(texts).map((line, at) => ({ ...line, id: at + 1 }));
const sorted = (lines: readonly ErpOrderLine[]) =>
  lines.map((line) => `${line.quantity.toFixed()} x ${line.sku} at ${line.unitPrice.toFixed()}`).toSorted();
const shown = (lines: readonly ErpOrderLine[]) => showLines(lines, 'USD');
const unitsOf = (lines: readonly ErpOrderLine[], sku: string) =>
  sum(lines.filter((line) => line.sku === sku).map(({ quantity }) => quantity));

/** The marketplace's lines after one write. */
function written(lines: Lines, action: OrderInAction): Lines {
  if (action.action === 'order-in.line-remove') return lines.filter(({ id }) => id !== action.lineId);
  if (action.action !== 'order-in.lines') throw new Error(`${action.action} is no write of lines`);
  let next = Math.max(0, ...lines.map(({ id }) => id)) + 1;
  const changed = lines.map((line) => {
    const change = action.changes.find(({ id }) => id === line.id);
    return change === undefined ? line : { ...line, quantity: exact(change.quantity.toFixed()) };
  });
  const added = action.changes.flatMap(({ id, productId, quantity, price }) => {
    const [sku = '', unitPrice = '0'] = [LISTED[productId], price?.toFixed()];
    return id === null ? [{ id: next++, sku, quantity: exact(quantity.toFixed()), unitPrice: exact(unitPrice) }] : [];
  });
  return [...changed, ...added];
}

/** Every state of the marketplace until nothing is left to write. The program stops after each write. */
function play(there: Lines, here: readonly ErpOrderLine[]) {
  const states = [there];
  const agreed = { erpId: 'E-1', quantities: quantitiesOf(there), prices: [], charges: null, statuses: null };
  let record: BaseRecord = { agreed, sent: null };
  for (;;) {
    const lines = states.at(-1) ?? [];
    const edit = editOf(lines, here);
    const compared = compare(record, edit.wanted, edit.erpOrder);
    expect(compared.moved.marketplace, `an own write of ${shown(lines)} looks like a buyer's`).toEqual([]);
    if (compared.moved.erp.length === 0) return { states, held: '' };
    const { actions, holds } = editOnMarketplace({ ...edit, compared });
    const [action] = actions;
    if (action === undefined) return { states, held: sentencesOf(holds) };
    const after = written(lines, action);
    if (action.action === 'order-in.lines')
      expect(action.after?.split(', ').toSorted()).toEqual(shown(after).split(', ').toSorted());
    if (action.action !== 'order-in.lines' && action.action !== 'order-in.line-remove')
      throw new Error(`${action.action} is no write of lines`);
    record = { agreed, sent: { to: 'marketplace', base: action.agreed, atMs: 0 } };
    states.push(after);
  }
}

test.each([
  {
    name: 'two lines merged at the price of one',
    there: ['5 x SB-1 at 4.51', '2 x SB-1 at 0'],
    here: ['7 x SB-1 at 4.51'],
    states: [['5 x SB-1 at 4.51'], ['7 x SB-1 at 4.51']],
  },
  {
    name: 'two lines of one price merged',
    there: ['5 x SB-1 at 4.51', '2 x SB-1 at 4.51'],
    here: ['7 x SB-1 at 3.22'],
    states: [['5 x SB-1 at 4.51'], ['7 x SB-1 at 4.51']],
  },
  {
    name: 'a free line removed, and the other reduced to its quantity',
    there: ['5 x SB-1 at 4.51', '2 x SB-1 at 0'],
    here: ['2 x SB-1 at 4.51'],
    states: [['5 x SB-1 at 4.51'], ['2 x SB-1 at 4.51']],
  },
  {
    name: 'one line split into a sold and a free one',
    there: ['7 x SB-1 at 4.51'],
    here: ['5 x SB-1 at 4.51', '2 x SB-1 at 0'],
    states: [['2 x SB-1 at 0', '5 x SB-1 at 4.51']],
  },
  {
    name: 'both lines of a product removed',
    there: ['5 x SB-1 at 4.51', '2 x SB-1 at 0', '1 x SB-2 at 3'],
    here: ['1 x SB-2 at 3'],
    states: [['1 x SB-2 at 3', '2 x SB-1 at 0'], ['1 x SB-2 at 3']],
  },
  {
    name: 'one product replaced by another',
    there: ['5 x SB-1 at 4.51'],
    here: ['5 x SB-2 at 4.51'],
    states: [['5 x SB-1 at 4.51', '5 x SB-2 at 4.51'], ['5 x SB-2 at 4.51']],
  },
])('$name in the ERP', ({ there, here, states }) => {
  expect(
    play(placed(there), linesOf(here))
      .states.slice(1)
      .map((lines) => sorted(lines)),
  ).toEqual(states);
});

test('lines of several prices that are merged at another price are held before anything is written', () => {
  for (const there of [
    ['5 x SB-1 at 4.51', '2 x SB-1 at 0'],
    ['2 x SB-1 at 0', '5 x SB-1 at 4.51'],
  ]) {
    const { states, held } = play(placed(there), linesOf(['7 x SB-1 at 3.22']));
    expect([states.length, held]).toEqual([1, expect.stringContaining('merged or split')]);
  }
});

test('lines that are merged and split in the ERP never sell more than a side has, in whatever order they stand', () => {
  const line = (prices: readonly string[]) =>
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...LISTED), fc.constantFrom(...prices))
      .map(([quantity, sku, price]) => `${quantity} x ${sku} at ${price}`);
  const sides = fc.record({
    there: fc.array(line(['4.51', '0']), { minLength: 1, maxLength: 4 }),
    here: fc.array(line(['4.51', '0', '3.22']), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(sides, ({ there, here }) => {
      const [start, erp] = [placed(there), linesOf(here)];
      const { states, held } = play(start, erp);
      const last = states.at(-1) ?? [];
      for (const sku of LISTED) {
        const most = Math.max(unitsOf(start, sku).toNumber(), unitsOf(erp, sku).toNumber());
        for (const state of states) expect(unitsOf(state, sku).toNumber()).toBeLessThanOrEqual(most);
      }
      for (const state of states) expect(state.length).toBeGreaterThan(0);
      if (held === '') expect(quantitiesOf(last)).toEqual(quantitiesOf(erp));
      else expect(states).toHaveLength(1);
      const turned = play(start.toReversed(), erp.toReversed());
      expect([sorted(turned.states.at(-1) ?? []), turned.held === '']).toEqual([sorted(last), held === '']);
    }),
    { numRuns: 2_000 },
  );
});

test("a price changed in the ERP is written to its own line, and not to the product's free line", () => {
  for (const here of [
    ['5 x SB-1 at 4', '2 x SB-1 at 0'],
    ['2 x SB-1 at 0', '5 x SB-1 at 4'],
  ]) {
    const edit = editOf(placed(['5 x SB-1 at 4.51', '2 x SB-1 at 0']), linesOf(here));
    const [action] = pricesOnMarketplace(edit, ['SB-1']).actions;
    const changes = action?.action === 'order-in.lines' ? action.changes : [];
    const prices = new Map(changes.map(({ id, price }) => [id, price?.toFixed()]));
    expect([prices.get(1), prices.get(2) ?? '0']).toEqual(['4', '0']);
  }
});

test('lines that the buyer edits keep the price that each of them has in the ERP', () => {
  for (const here of [
    ['5 x SB-1 at 4', '2 x SB-1 at 0'],
    ['2 x SB-1 at 0', '5 x SB-1 at 4'],
  ]) {
    const { wanted, erpOrder } = editOf(placed(['5 x SB-1 at 4.51', '3 x SB-1 at 0']), linesOf(here));
    expect(sorted(linesAtKeptPrices(wanted, erpOrder))).toEqual(['3 x SB-1 at 0', '5 x SB-1 at 4']);
  }
});
