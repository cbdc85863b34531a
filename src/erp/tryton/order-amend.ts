import type { Tryton } from './books.ts';
import { figuresOf, type Line } from './lines.ts';
import type { LineValues } from './order-lines.ts';
import { getSale } from './order-reads.ts';
import { createdId } from './records.ts';
import type { RpcCallOptions } from './rpc.ts';
import { draftAmendments, type Sale } from './sales.ts';

const NOTE = 'Changed on the marketplace';
/** Shipments whose goods were picked, so they cannot be planned again. */
const TAKEN = ['picked', 'packed'];

/**
 * Changes the lines of a processed sale by an amendment, which plans the shipments and computes the total again in one
 * transaction. It cannot add lines, so new lines are written first with quantity 0, which do no harm alone.
 * @throws CallFailure `refused`, `not-applied`, before any write, when the sale cannot be changed any more
 */
export async function amend(
  tryton: Tryton,
  sale: Sale,
  wanted: readonly LineValues[],
  asked: RpcCallOptions,
): Promise<void> {
  const { rpc } = tryton;
  const about = await tryton.books();
  if (!about.modules.has('sale_amendment')) {
    throw rpc.refuse(asked, 'it is being processed. Activate the module sale_amendment, or change it there.');
  }
  const taken = sale['shipments.'].find(({ state }) => TAKEN.includes(state));
  if (taken !== undefined) throw rpc.refuse(asked, `its shipment ${taken.id} was picked already. Change it there.`);
  const late = tooLate(matched(sale, wanted));
  if (late !== undefined) throw rpc.refuse(asked, late);
  const missing = matched(sale, wanted).flatMap(({ old, line }) =>
    old === undefined && line !== undefined ? [line] : [],
  );
  const complete = missing.length === 0 ? sale : await withLines(tryton, sale, missing, asked);
  const changes = matched(complete, wanted).flatMap(changeOf);
  if (changes.length === 0) return;
  const left = draftAmendments(sale, about);
  if (left.length > 0) await rpc.call('model.sale.amendment.delete', [left], asked);
  const values = { sale: sale.id, description: NOTE, lines: [['create', changes]] };
  const made = await createdId(rpc, 'sale.amendment', values, 'the amendment', asked);
  const assigned = sale['shipments.'].filter(({ state }) => state === 'assigned').map(({ id }) => id);
  if (assigned.length > 0) await rpc.call('model.stock.shipment.out.wait', [assigned], asked);
  await rpc.call('model.sale.amendment.validate_amendment', [[made]], asked);
}

/** A line as it is (`old`) and as it must become (`line`). New and removed lines lack one. */
interface Pair {
  readonly old?: Line | undefined;
  readonly line?: LineValues | undefined;
}

function matched(sale: Sale, wanted: readonly LineValues[]): Pair[] {
  const left = sale['lines.'].filter(({ type }) => type === 'line');
  const pairs = wanted.map((line): Pair => {
    const at = left.findIndex((one) => one['product.']?.code === line.sku);
    return { line, old: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  return [...pairs, ...left.map((old) => ({ old }))];
}

function tooLate(pairs: readonly Pair[]): string | undefined {
  for (const { old, line } of pairs) {
    const shipped = old && figuresOf(old).shipped;
    if (shipped === undefined || shipped.isZero() || line?.quantity.greaterThanOrEqualTo(shipped)) continue;
    const what = old?.['product.']?.code ?? `line ${old?.id}`;
    return `${shipped.toFixed()} of ${what} are shipped, and less than that were to be ordered. Change it there.`;
  }
  return undefined;
}

async function withLines(
  tryton: Tryton,
  sale: Sale,
  missing: readonly LineValues[],
  asked: RpcCallOptions,
): Promise<Sale> {
  const lines = missing.map(({ values }) => ({ ...values, quantity: 0 }));
  await tryton.rpc.call('model.sale.sale.write', [[sale.id], { lines: [['create', lines]] }], asked);
  return (await getSale(tryton, String(sale.id), asked)) ?? sale;
}

/** An amendment cannot delete lines, so an unwanted line gets quantity 0. */
function changeOf({ old, line }: Pair): unknown[] {
  const product = old?.['product.'];
  if (old === undefined || product === undefined || product === null) return [];
  const { ordered, unitPrice } = figuresOf(old);
  const same = { action: 'line', line: old.id, product: product.id, description: old.description };
  if (line === undefined) {
    if (ordered.isZero()) return [];
    const price = { __class__: 'Decimal', decimal: (old.unit_price ?? unitPrice).toFixed() };
    return [{ ...same, quantity: 0, unit: old['unit.']?.id, unit_price: price }];
  }
  if (ordered.equals(line.quantity) && unitPrice.equals(line.unitPrice)) return [];
  const { quantity, unit, unit_price } = line.values;
  return [{ ...same, quantity, unit, unit_price }];
}
