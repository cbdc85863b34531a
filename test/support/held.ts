import { Decimal } from 'decimal.js';

/** What may stay different once all rests: `difference` as `disagreements` tells it, and the rows that have to be held for it. */
interface Excuse {
  readonly difference: RegExp;
  /** Made of what the difference names: each has to be found, as `flow key: reason`. */
  readonly held: (...named: string[]) => readonly RegExp[];
}

const NOTHING = /(?!)/;

const EXCUSES: readonly Excuse[] = [
  // Several orders look like a create whose answer was lost, and this is one of them. It is not tried while it is one, so it may
  // have failed for what is over.
  {
    difference: /^order (\S+) \(\w+\) is not in the ERP$/,
    held: (number) => [
      reason`^order-in ${number}: (it may be the order we are creating for ERP order |failed, .* when asked to find the orders with reference )`,
      reason`^order-out \S+: in doubt: orders without an external_id look like it: (\S+, )*${number}[,;]`,
    ],
  },
  // Edited on the marketplace while the ERP shipped it.
  {
    difference: /^order (\S+) is shipped in the ERP and Accepted$/,
    held: (number) => [reason`^order-in ${number}: ERP order \S+ of ${number} is shipped and its lines differ: `],
  },
  // Nor can it be told whether the line came before Accepted or after it: then too little is offered, and never too much.
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (sku, offered, there) => [
      new Decimal(offered).lessThan(there)
        ? reason`^order-in \S+: ERP order \S+ of \S+ is shipped and its lines differ: .* x ${sku} at `
        : NOTHING,
    ],
  },
  // What the marketplace does not sell, and refuses to take.
  {
    difference: /^ERP order (\S+) is not on the marketplace$/,
    held: (id) => [
      reason`^order-out ${id}: (\S+: (its listing \d+ is archived|it has no listing on the marketplace)$|failed, .* 400: .* is not an active product|in doubt: orders without an external_id look like it: )`,
    ],
  },
  // An operator has refused, or has not been asked to approve what is decided by now.
  {
    difference: /^(\S+) costs [\d.]+, in the ERP ([\d.]+)$/,
    held: (sku, amount) => [
      reason`^product \S+: brake price: \S+ listing \d+ \(${sku}\) \(\S+ \S+ -> ${plain(amount)} \S+\) was (vetoed|dropped) by `,
    ],
  },
  {
    difference: /^order (\S+) is (\w+) and cancelled in the ERP$/,
    held: (number, status) => [
      reason`^order-in ${number}: brake reject: \S+ order ${number} \(${status} -> Rejected\) was (vetoed|dropped) by `,
    ],
  },
  {
    difference: /^(\S+) is not sold and archived: false$/,
    held: (sku) => [
      reason`^product \S+: brake archive: \S+ listing \d+ \(${sku}\) \(listed -> archived\) was (vetoed|dropped) by `,
    ],
  },
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (sku, offered, there) => [refusedStock(sku, new Decimal(offered), new Decimal(there))],
  },
  {
    difference: /^(\S+) is sold and archived: true$/,
    held: (sku) => [
      reason`^stock \S+: brake increase: \S+ listing \d+ \(${sku}\) \w+, back from the archive \(\S+ -> \S+\) was (vetoed|dropped) by `,
    ],
  },
];

/** Buyers could take some and are to take none, or they are to take more: nothing in between is braked. */
function refusedStock(sku: string, offered: Decimal, there: Decimal): RegExp {
  if (there.greaterThan(offered)) return refusedWrite(sku, 'increase', there);
  return there.greaterThan(0) ? NOTHING : refusedWrite(sku, 'zero', new Decimal(0));
}

/** A `quantity` holds what open orders reserve, too, which the difference does not tell. */
function refusedWrite(sku: string, brake: string, available: Decimal): RegExp {
  return reason`^stock \S+: brake ${brake}: \S+ listing \d+ \(${sku}\) (quantity \(\S+ -> \S+\)|available_inventory \(\S+ -> ${plain(available)}\)) was (vetoed|dropped) by `;
}

function plain(amount: Decimal.Value): string {
  return new Decimal(amount).toFixed();
}

/** What is put in stands for itself, however it is spelled. */
function reason({ raw }: TemplateStringsArray, ...named: string[]): RegExp {
  return new RegExp(raw.map((part, index) => `${part}${RegExp.escape(named[index] ?? '')}`).join(''));
}

/** Whether what differs is for an operator, and is held (or called failed) with the one reason that allows it. */
export function isHeld(difference: string, held: readonly string[]): boolean {
  return EXCUSES.some((excuse) => {
    const named = excuse.difference.exec(difference);
    return named !== null && excuse.held(...named.slice(1)).every((row) => held.some((line) => row.test(line)));
  });
}
