/** What may stay different once all rests: `difference` as `disagreements` tells it, and the rows that have to be held for it. */
interface Excuse {
  readonly difference: RegExp;
  /** Made of what the difference names: each has to be found, as `flow key: reason`. */
  readonly held: (...named: string[]) => readonly RegExp[];
}

const NOTHING = /(?!)/;

const EXCUSES: readonly Excuse[] = [
  // Several orders look like a create whose answer was lost, and this is one of them.
  {
    difference: /^order (\S+) \(\w+\) is not in the ERP$/,
    held: (number) => [
      new RegExp(`^order ${number}: it may be the order we are creating for ERP order `),
      new RegExp(`^erp-order \\S+: in doubt: orders without an external_id look like it: .*${number}`),
    ],
  },
  // Edited on the marketplace while the ERP shipped it.
  {
    difference: /^order (\S+) is shipped in the ERP and Accepted$/,
    held: (number) => [new RegExp(`^order ${number}: ERP order \\S+ of ${number} is shipped and its lines differ: `)],
  },
  // Nor can it be told whether the line came before Accepted or after it: then too little is offered, and never too much.
  {
    difference: /^(\S+): buyers can take (-?[\d.]+), (-?[\d.]+) is there /,
    held: (sku, offered, there) => [
      Number(offered) < Number(there)
        ? new RegExp(`^order \\S+: ERP order \\S+ of \\S+ is shipped and its lines differ: .* x ${sku} at `)
        : NOTHING,
    ],
  },
  // What the marketplace does not sell, and refuses to take.
  {
    difference: /^ERP order (\S+) is not on the marketplace$/,
    held: (id) => [
      new RegExp(
        `^erp-order ${id}: (\\S+: (its listing \\d+ is archived|it has no listing on the marketplace)$|failed, .* 400: .* is not an active product|in doubt: orders without an external_id look like it: )`,
      ),
    ],
  },
  // An operator has refused, or has not been asked to approve what is decided by now.
  {
    difference: /^(\S+) costs [\d.]+, in the ERP /,
    held: (sku) => [vetoed('product', 'price', sku)],
  },
  {
    difference: /^order (\S+) is \w+ and cancelled in the ERP$/,
    held: (number) => [new RegExp(`^order ${number}: brake reject: .* was (vetoed|dropped) by `)],
  },
  {
    difference: /^(\S+) is not sold and archived: false$/,
    held: (sku) => [vetoed('product', 'archive', sku)],
  },
  {
    difference: /^(\S+): buyers can take [\d.]+, -?[\d.]+ is there /,
    held: (sku) => [vetoed('stock', '(zero|increase)', sku)],
  },
  {
    difference: /^(\S+) is sold and archived: true$/,
    held: (sku) => [vetoed('stock', 'increase', sku)],
  },
];

function vetoed(flow: string, brake: string, sku: string): RegExp {
  return new RegExp(`^${flow} \\S+: brake ${brake}: .*\\(${sku}\\).* was (vetoed|dropped) by `);
}

/** Whether what differs is for an operator, and is held (or called failed) with the one reason that allows it. */
export function isHeld(difference: string, held: readonly string[]): boolean {
  return EXCUSES.some((excuse) => {
    const named = excuse.difference.exec(difference);
    return named !== null && excuse.held(...named.slice(1)).every((row) => held.some((line) => row.test(line)));
  });
}
