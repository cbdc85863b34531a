import { Decimal } from 'decimal.js';
import { type Cause, type Code, cause, type ParamsOf } from '../../src/domain/causes/cause.ts';
import type { FailedJob, WorkRow } from '../../src/store/work.ts';
import { told } from './causes.ts';

/** An entity that is held or has failed, with the causes. */
export interface HeldEntity {
  readonly flow: string;
  readonly key: string;
  readonly causes: readonly Cause[];
}

export function heldOf(held: readonly WorkRow[], failed: readonly FailedJob[]): HeldEntity[] {
  return [
    ...held.map(({ flow, key, heldFor }) => ({ flow, key, causes: heldFor ?? [] })),
    ...failed.map(({ flow, key, cause: code, message }) => ({ flow, key, causes: [cause(code, { message })] })),
  ];
}

/** An alert tells of the difference, and the work goes on. */
export function alertedOf(
  alerts: readonly { readonly name: string; readonly causes: readonly Cause[] }[],
): HeldEntity[] {
  return alerts.map(({ name, causes }) => {
    const [flow = '', ...key] = name.split(':');
    return { flow, key: key.join(':'), causes };
  });
}

export function shownHeld({ flow, key, causes }: HeldEntity): string {
  return `${flow} ${key}: ${told(causes)}`;
}

type Fits = (held: HeldEntity) => boolean;

/**
 * A difference that may remain once everything rests: its text from `disagreements`, and the entities that have to be held for
 * it.
 */
interface Excuse {
  readonly difference: RegExp;
  /** Makes conditions of the names in the difference. A held entity has to be found for each. */
  readonly held: (...named: string[]) => readonly Fits[];
}

const NEVER: Fits = () => false;

/** @param key null: any */
function of<Name extends Code>(
  flow: string,
  key: string | null,
  code: Name,
  fits: (params: ParamsOf<Name>) => boolean = () => true,
): Fits {
  return (held) =>
    held.flow === flow &&
    (key === null || held.key === key) &&
    held.causes.some((one) => one.code === code && fits(one.params as ParamsOf<Name>));
}

function any(...ways: readonly Fits[]): Fits {
  return (held) => ways.some((fits) => fits(held));
}

/** An operator has refused this write. */
function refused(
  flow: string,
  brake: string,
  fits: (write: ParamsOf<'brake-refused'>) => boolean,
  key: string | null = null,
): Fits {
  const isRefused = (write: ParamsOf<'brake-refused'>) => write.brake === brake && fits(write);
  return any(of(flow, key, 'brake-refused', isRefused), of(flow, key, 'fall-refused', isRefused));
}

const EDITED = [
  'edited-in-erp',
  'shipped-short',
  'edited-on-both-sides',
  'nothing-left',
  'lines-regrouped',
  'edited-on-marketplace',
] as const;

const EXCUSES: readonly Excuse[] = [
  // Several orders look like a create whose answer was lost, and this is one of them. Meanwhile the order is not tried, so its
  // failure may have an old cause.
  {
    difference: /^order (\S+) \(\w+\) is not in the ERP$/,
    held: (number = '') => [
      any(
        of('order-in', number, 'order-maybe-ours'),
        failedOf('order-in', number, /when asked to find the orders with reference /),
      ),
      of('order-out', null, 'look-alikes', ({ found }) => found.includes(number)),
    ],
  },
  // The ERP has deleted the order: a person has to decide about it.
  {
    difference: /^order (\S+) \(\w+\) is not in the ERP$/,
    held: (number = '') => [of('order-in', number, 'erp-order-gone')],
  },
  // The order is gone from the marketplace, and an operator has not approved its cancellation, or the ERP refuses it.
  {
    difference: /^ERP order \S+ is \w+ for order (\S+), which is gone$/,
    held: (number = '') => [
      any(
        refused('order-in', 'reject', ({ after }) => after === 'cancelled', number),
        failedOf('order-in', number, / answered 422 .* when asked to change order /),
      ),
    ],
  },
  // A person has copied the ERP's order, or changed its reference, and is told.
  {
    difference: /^ERP order \S+ is reserved for order (.+), which is gone$/,
    held: (number = '') => [of('order-in', number, 'order-not-there')],
  },
  // Goods of the order have left. A person gets them back, or has them paid. An order that is rejected is not asked for again.
  {
    difference: /^ERP order \S+ is partly-shipped for order (\S+), which is gone$/,
    held: (number = '') => [any(of('order-in', number, 'order-deleted'), of('order-in', number, 'dead-but-shipped'))],
  },
  {
    difference: /^order (\S+) is (?:Rejected|Canceled) and partly-shipped in the ERP$/,
    held: (number = '') => [of('order-in', number, 'dead-but-shipped')],
  },
  // The answer to our cancellation was lost, and somebody edited the order since: it may have been taken up again.
  {
    difference: /^order (\S+) is (?:Rejected|Canceled) and reserved in the ERP$/,
    held: (number = '') => [of('order-in', number, 'reopened', ({ by, from }) => by === 'erp' && from === 'cancelled')],
  },
  // The product is listed under another SKU, and nobody has linked the two yet. Or an operator has refused its listing.
  {
    difference: /^(\S+) is not listed$/,
    held: (sku = '') => [
      any(
        of('product', null, 'could-be-listed', (params) => params.sku === sku),
        refused('product', 'create', ({ target }) => target === `a listing for ${sku}`),
      ),
    ],
  },
  {
    difference: /^order (\S+) \(\w+\) is not in the ERP$/,
    held: (number = '') => [of('order-in', number, 'product-unlinked')],
  },
  // A discount, and later a lower price, may take more than an order is worth: that is for a person.
  ...[
    /^order (\S+) \(\w+\) is not in the ERP$/,
    /^order (\S+) has \S.*, the ERP .*$/,
    /^order (\S+) is (?:shipped in the ERP and Accepted|only a draft)$/,
  ].map((difference) => ({
    difference,
    held: (number = '') => [of('order-in', number, 'order-total-negative')],
  })),
  {
    difference: /^ERP order (\S+) is not on the marketplace$/,
    held: (id = '') => [of('order-out', id, 'order-total-negative')],
  },
  // The order was edited on the marketplace while the ERP shipped it.
  {
    difference: /^order (\S+) is shipped in the ERP and Accepted$/,
    held: (number = '') => [of('order-in', number, 'shipped-and-edited')],
  },
  // It is also unknown whether the line came before Accepted or after it. Then too little is offered, never too much.
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (sku = '', offered = '', there = '') => [
      new Decimal(offered).lessThan(there)
        ? any(
            of('order-in', null, 'shipped-and-edited', ({ lines }) => lines.includes(` x ${sku} at `)),
            of('order-in', null, 'edited-on-both-sides', (both) => ` ${both.there},`.includes(` x ${sku},`)),
          )
        : NEVER,
    ],
  },
  // The ERP has the order twice, or its heir carries the number in other letters. Until a person says which it is, both count: too little
  // is offered, never too much.
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (_sku = '', offered = '', there = '') => [
      new Decimal(offered).lessThan(there)
        ? any(of('order-in', null, 'several-erp-orders'), of('order-in', null, 'erp-order-gone'))
        : NEVER,
    ],
  },
  // Somebody has changed the order in the ERP, or both sides were changed: that is told, or held. So is a line of an unlinked
  // listing that was added after the order reached the ERP.
  {
    difference: /^order (\S+) has \S.*, the ERP .*$/,
    held: (number = '') => [
      any(
        ...[...EDITED, 'shipped-and-edited' as const, 'product-unlinked' as const].map((code) =>
          of('order-in', number, code),
        ),
      ),
    ],
  },
  {
    difference: /^order (\S+) is (?:shipped in the ERP and Accepted|only a draft)$/,
    held: (number = '') => [
      any(...[...EDITED, 'charges-edited-in-erp' as const].map((code) => of('order-in', number, code))),
    ],
  },
  // The marketplace does not sell the product, and refuses the order.
  {
    difference: /^ERP order (\S+) is not on the marketplace$/,
    held: (id = '') => [
      any(
        of('order-out', id, 'listing-archived'),
        of('order-out', id, 'sku-unlisted'),
        of('order-out', id, 'erp-order-empty'),
        of('order-out', id, 'look-alikes'),
        failedOf('order-out', id, / 400: .* is not an active product/),
      ),
    ],
  },
  // An operator has refused the write, or has not been asked about the present one yet.
  {
    difference: /^(\S+) costs [\d.]+, in the ERP ([\d.]+)$/,
    held: (sku = '', amount = '') => [
      refused('product', 'price', (write) => isOf(write, sku) && write.after?.split(' ')[0] === plain(amount)),
    ],
  },
  {
    difference: /^order (\S+) is \w+ and cancelled in the ERP$/,
    held: (number = '') => [of('order-in', number, 'moved-both-ways')],
  },
  {
    difference: /^order (\S+) is (\w+) and cancelled in the ERP$/,
    held: (number = '', status = '') => [
      refused('order-in', 'reject', ({ before, after }) => before === status && after === 'Rejected', number),
    ],
  },
  {
    difference: /^(\S+) is not sold and archived: false$/,
    held: (sku = '') => [refused('product', 'archive', (write) => isOf(write, sku) && write.after === 'archived')],
  },
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (sku = '', offered = '', there = '') => [refusedStock(sku, new Decimal(offered), new Decimal(there))],
  },
  {
    difference: /^(\S+) is sold and archived: true$/,
    held: (sku = '') => [
      refused('stock', 'increase', (write) => isOf(write, sku) && write.target.endsWith(', back from the archive')),
    ],
  },
];

/** The failure shows only in the words of the other side. */
function failedOf(flow: string, key: string, message: RegExp): Fits {
  return (held) =>
    held.flow === flow &&
    held.key === key &&
    held.causes.some(({ params }) => 'message' in params && message.test(params.message));
}

function isOf({ target }: { readonly target: string }, sku: string): boolean {
  return target.includes(`(${sku})`);
}

/** Buyers could take some units and should take none, or should take more. Brakes hold nothing in between. */
function refusedStock(sku: string, offered: Decimal, there: Decimal): Fits {
  if (there.greaterThan(offered)) return refusedWrite(sku, 'increase', there);
  return there.greaterThan(0) ? NEVER : refusedWrite(sku, 'zero', new Decimal(0));
}

/** A `quantity` also contains the units that open orders reserve, which the difference does not tell. */
function refusedWrite(sku: string, brake: string, available: Decimal): Fits {
  return refused('stock', brake, (write) => {
    if (!isOf(write, sku)) return false;
    if (write.target.endsWith(' quantity')) return true;
    return write.target.endsWith(' available_inventory') && write.after === plain(available);
  });
}

function plain(amount: Decimal.Value): string {
  return new Decimal(amount).toFixed();
}

/** Is the difference a matter for an operator, held (or failed) for the one cause that allows it? */
export function isHeld(difference: string, held: readonly HeldEntity[]): boolean {
  return EXCUSES.some((excuse) => {
    const named = excuse.difference.exec(difference);
    return named !== null && excuse.held(...named.slice(1)).every((fits) => held.some(fits));
  });
}
