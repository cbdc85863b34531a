import { expect, test } from 'vitest';
import { isHeld } from './held.ts';

const VETOED = 'was vetoed by somebody: it is held until it is another write';
const stock = (brake: string, write: string) =>
  `stock 7: brake ${brake}: stock.write listing 2 (P-1) ${write} ${VETOED}`;
const price = (change: string) => `product 7: brake price: product.price listing 2 (P-1) (${change}) ${VETOED}`;
const archive = (sku: string) =>
  `product 7: brake archive: product.archive listing 2 (${sku}) (listed -> archived) ${VETOED}`;
const reject = (number: string, change: string) =>
  `order-in ${number}: brake reject: order-in.transition order ${number} (${change}) ${VETOED}`;
const shipped = (sku: string) =>
  `order-in A-1: ERP order 9 of A-1 is shipped and its lines differ: the marketplace has 1 x P-0 at 3, 2 x ${sku} at 5`;
const creating = (number: string) =>
  `order-in ${number}: it may be the order we are creating for ERP order 9: that has to be settled first`;
const unasked = (number: string) =>
  `order-in ${number}: failed, The answer of the ERP does not fit when asked to find the orders with reference ${number}.`;
const doubt = (numbers: string) =>
  `order-out 9: in doubt: orders without an external_id look like it: ${numbers}; say which with "stockbridge jobs resolve": --adopt ID, --retry or --drop`;

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

test.each<[string, boolean, string, string[]]>([
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
  ['an increase only waits', false, MORE_LEFT, [stock('increase', 'quantity (5 -> 10)').replace(VETOED, 'waits')]],
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
  ['its listing is archived', true, NOT_CREATED, ['order-out 9: P-1: its listing 2 is archived']],
  ['the create of another is in doubt', false, 'ERP order 99 is not on the marketplace', [doubt('A-1')]],
  ['nobody may excuse it', false, 'P-1 is listed 2 times', [archive('P-1')]],
])('%s: excused: %s', (_, excused, difference, held) => {
  expect(isHeld(difference, held)).toBe(excused);
});
