import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { causeOf } from './causes.ts';
import { type HeldEntity, isHeld } from './held.ts';

function write(flow: string, key: string, brake: string, action: string, target: string, change: string): HeldEntity {
  const [before = '', after = ''] = change.split(' -> ');
  const refused = { brake, action, target, before, after, state: 'vetoed', by: 'somebody' };
  return { flow, key, causes: [cause('brake-refused', refused)] };
}
function stock(brake: string, told: string): HeldEntity {
  const [field = '', change = ''] = told.replace(')', '').split(' (');
  return write('stock', '7', brake, 'stock.write', `listing 2 (P-1) ${field}`, change);
}
const price = (change: string) => write('product', '7', 'price', 'product.price', 'listing 2 (P-1)', change);
const archive = (sku: string) =>
  write('product', '7', 'archive', 'product.archive', `listing 2 (${sku})`, 'listed -> archived');
const reject = (number: string, change: string) =>
  write('order-in', number, 'reject', 'order-in.transition', `order ${number}`, change);
const shipped = (sku: string): HeldEntity => {
  const edited = { order: 'A-1', erpOrder: '9', lines: `1 x P-0 at 3, 2 x ${sku} at 5` };
  return { flow: 'order-in', key: 'A-1', causes: [cause('shipped-and-edited', { ...edited, miscounted: null })] };
};
const creating = (number: string): HeldEntity => {
  return { flow: 'order-in', key: number, causes: [cause('order-maybe-ours', { order: number, erpOrder: '9' })] };
};
const unasked = (number: string): HeldEntity => {
  const message = `The answer of the ERP does not fit when asked to find the orders with reference ${number}.`;
  return { flow: 'order-in', key: number, causes: [cause('erp-invalid-answer', { message })] };
};
const doubt = (numbers: string): HeldEntity => {
  const alike = { what: 'Similar orders without an external_id', found: numbers.split(', ') };
  return { flow: 'order-out', key: '9', causes: [cause('look-alikes', alike)] };
};
const archivedListing = cause('listing-archived', { erpOrder: '9', sku: 'P-1', listing: 2 });
/** No operator was asked yet. */
const waiting = ({ causes, ...held }: HeldEntity): HeldEntity => {
  const inPlan = causes.flatMap((one) => {
    if (one.code !== 'brake-refused') return [];
    const { state: _state, by: _by, ...braked } = one.params;
    return cause('brake-plan', { ...braked, exceeds: causeOf('would be too many'), waits: true, plan: 1 });
  });
  return { ...held, causes: inPlan };
};

const NONE_LEFT = 'P-1: buyers can take 3, 0 is there (b)';
const SHORT = 'P-1: buyers can take 3, -2 is there (b)';
const SOME_LEFT = 'P-1: buyers can take 3, 1 is there (b)';
const MORE_LEFT = 'P-1: buyers can take 3, 8 is there (b)';
const COST = 'P-1 costs 10.00, in the ERP 12.50';
const BACK = 'P-1 is sold and archived: true';
const GONE = 'P-1 is not sold and archived: false';
const CANCELLED = 'order A-1 is Accepted and cancelled in the ERP';
const NOT_EXPORTED = 'order A-1 (Accepted) is not in the ERP';
const SHIPPED = 'order A-1 is shipped in the ERP and Accepted';
const NOT_CREATED = 'ERP order 9 is not on the marketplace';

test.each<[string, boolean, string, HeldEntity[]]>([
  ['nothing is held', false, NONE_LEFT, []],
  ['a zero was refused', true, NONE_LEFT, [stock('zero', 'available_inventory (3 -> 0)')]],
  ['a zero was refused, beside what is reserved', true, NONE_LEFT, [stock('zero', 'quantity (5 -> 2)')]],
  ['a zero was refused, and less than nothing is there', true, SHORT, [stock('zero', 'available_inventory (3 -> 0)')]],
  ['an increase was refused, and none is there', false, NONE_LEFT, [stock('increase', 'available_inventory (3 -> 0)')]],
  ['a zero was refused, and some is there', false, SOME_LEFT, [stock('zero', 'available_inventory (3 -> 1)')]],
  [
    'a zero was refused of another',
    false,
    'P-11: buyers can take 3, 0 is there (b)',
    [stock('zero', 'quantity (3 -> 0)')],
  ],
  ['an increase was refused', true, MORE_LEFT, [stock('increase', 'available_inventory (3 -> 8)')]],
  ['an increase was refused, beside what is reserved', true, MORE_LEFT, [stock('increase', 'quantity (5 -> 10)')]],
  ['another increase was refused', false, MORE_LEFT, [stock('increase', 'available_inventory (3 -> 80)')]],
  ['an increase only waits', false, MORE_LEFT, [waiting(stock('increase', 'quantity (5 -> 10)'))]],
  ['a zero was refused, and more is there', false, MORE_LEFT, [stock('zero', 'available_inventory (3 -> 8)')]],
  ['this price was refused', true, COST, [price('10 USD -> 12.5 USD')]],
  ['another price was refused', false, COST, [price('10 USD -> 12 USD')]],
  ['a price that begins the same was refused', false, COST, [price('10 USD -> 12.55 USD')]],
  ['it was not to come back', true, BACK, [stock('increase', 'quantity, back from the archive (0 -> 4)')]],
  ['an increase of what is listed was refused', false, BACK, [stock('increase', 'quantity (0 -> 4)')]],
  ['it was not to be archived', true, GONE, [archive('P-1')]],
  ['another was not to be archived', false, GONE, [archive('P-11')]],
  ['a dot in a SKU is a dot', false, 'P.1 is not sold and archived: false', [archive('P-1')]],
  ['it was not to be rejected', true, CANCELLED, [reject('A-1', 'Accepted -> Rejected')]],
  ['it was not to be rejected when it was another', false, CANCELLED, [reject('A-1', 'Submitted -> Rejected')]],
  ['another was not to be rejected', false, CANCELLED, [reject('A-12', 'Accepted -> Rejected')]],
  ['shipped with other lines', true, SHIPPED, [shipped('P-1')]],
  ['another shipped with other lines', false, 'order A is shipped in the ERP and Accepted', [shipped('P-1')]],
  ['too little while lines differ', true, MORE_LEFT, [shipped('P-1')]],
  ['too much while lines differ', false, NONE_LEFT, [shipped('P-1')]],
  ['too little while lines of another differ', false, MORE_LEFT, [shipped('P-11')]],
  ['it may be the one that is created', true, NOT_EXPORTED, [creating('A-1'), doubt('A-0, A-1')]],
  ['it may be, and failed before', true, NOT_EXPORTED, [unasked('A-1'), doubt('A-0, A-1')]],
  ['it failed, and another may be the one', false, NOT_EXPORTED, [unasked('A-1'), doubt('A-0')]],
  ['another begins with its number', false, NOT_EXPORTED, [creating('A-1'), doubt('A-0, A-12')]],
  ['another ends with its number', false, NOT_EXPORTED, [creating('A-1'), doubt('AA-1')]],
  ['another may be the one that is created', false, NOT_EXPORTED, [creating('A-12'), doubt('A-1')]],
  ['no create is in doubt', false, NOT_EXPORTED, [creating('A-1')]],
  ['its create is in doubt', true, NOT_CREATED, [doubt('A-1')]],
  ['its listing is archived', true, NOT_CREATED, [{ flow: 'order-out', key: '9', causes: [archivedListing] }]],
  ['the create of another is in doubt', false, 'ERP order 99 is not on the marketplace', [doubt('A-1')]],
  ['nobody may excuse it', false, 'P-1 is listed 2 times', [archive('P-1')]],
])('the skipped test %s: excused: %s', (_, excused, difference, held) => {
  expect(isHeld(difference, held)).toBe(excused);
});
