import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import type { StrategyName } from '../../domain/strategy.ts';
import type { LedgerRow, StockSum } from './explanation.ts';

/** The figures that a stock sum is made of. */
export interface Ledger {
  readonly strategy: StrategyName;
  readonly field: StockSum['field'];
  readonly erp: {
    readonly onHand: Decimal | null;
    readonly reserved: Decimal | null;
    readonly available: Decimal;
    readonly asOf: string;
  };
  readonly buffer: Decimal;
  /** Live lines, and units that no known order explains. */
  readonly lines: readonly LedgerLine[];
  /** The known statuses, by order. */
  readonly statuses: ReadonlyMap<string, string>;
  readonly shown: Decimal | null;
  readonly written: StockSum['written'];
}

/** The stock figure as a sum, line by line, by the rule of the ledger (`domain/ledger.ts`). */
export function sumOfStock({ strategy, field, erp, buffer, lines, statuses, shown, written }: Ledger): StockSum {
  const taken = sum(lines.map((line) => (isTaken(line) ? line.quantity : ZERO)));
  const rows = lines.map((line) => rowOf(line, field, statuses));
  const available = erp.available.minus(buffer).minus(taken);
  const figure = rows.reduce((total, { adds }) => total.plus(adds), erp.available.minus(buffer));
  return {
    strategy,
    field,
    erp: {
      onHand: erp.onHand?.toFixed() ?? null,
      reserved: erp.reserved?.toFixed() ?? null,
      available: erp.available.toFixed(),
      asOf: erp.asOf,
    },
    buffer: buffer.toFixed(),
    lines: rows,
    available: available.toFixed(),
    figure: Decimal.max(figure, 0).toFixed(),
    shown: shown?.toFixed() ?? null,
    written,
  };
}

function isTaken({ effect, counted }: LedgerLine): boolean {
  return effect !== 'none' && !counted;
}

function rowOf(line: LedgerLine, field: StockSum['field'], statuses: ReadonlyMap<string, string>): LedgerRow {
  const { order, quantity, effect, counted } = line;
  const taken = isTaken(line) ? quantity : ZERO;
  const added = field === 'quantity' && effect === 'reserved' ? quantity : ZERO;
  return {
    order,
    status: order === null ? null : (statuses.get(order) ?? null),
    quantity: quantity.toFixed(),
    there: effect,
    counted,
    adds: added.minus(taken).toFixed(),
    why: whyOf(line, field),
  };
}

function whyOf({ order, effect, counted, quantity }: LedgerLine, field: StockSum['field']): string {
  const subtracted = field === 'quantity' ? ', and the marketplace itself subtracts it from a quantity' : '';
  if (order === null) {
    if (effect === 'consumed') return 'an order that no list shows took them: they are not sold again';
    return quantity.isNegative()
      ? 'the marketplace shows less reserved than the known orders have'
      : `the marketplace shows them as reserved, and no known order explains it${subtracted}`;
  }
  if (effect === 'none') return 'the marketplace counts it nowhere';
  if (!counted) return `the ERP does not count it yet${effect === 'reserved' ? subtracted : ''}`;
  if (effect === 'consumed') return "the ERP's figure counts it already";
  return `the ERP's figure counts it already${subtracted === '' ? '' : ', and the marketplace subtracts it from a quantity once more: it is added'}`;
}
