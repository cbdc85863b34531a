import { type Decimal, ZERO } from '../../domain/decimal.ts';
import { isBefore } from '../../domain/instant.ts';
import type { LedgerLine } from '../../domain/ledger.ts';
import { erpQuantity, quantityProblem } from '../../domain/quantity.ts';
import type { Effect } from '../../domain/status.ts';
import type { Holding } from '../../store/erp.ts';
import type { StoredLine } from '../../store/marketplace.ts';
import type { AccountContext } from '../engine/context.ts';

/** The live lines of a listing, as the ledger takes them. */
export interface CountedLines {
  readonly lines: readonly (LedgerLine & { readonly order: string })[];
  /** Why a line cannot be counted in ERP units. */
  readonly lineProblem: string | null;
  /** An order was told to the ERP and the stock figure is not known to count it yet. */
  readonly awaitingErp: boolean;
}

/** Every live line of the listing, split into what the ERP's figure counts already and what it does not. */
export async function countLines(
  context: Pick<AccountContext, 'account' | 'config' | 'store'>,
  listingId: number | null,
  { sku, asOf, unitMultiplier }: { sku: string; asOf: string | null; unitMultiplier: Decimal | null },
): Promise<CountedLines> {
  const { account, config, store } = context;
  const found = listingId === null ? [] : await store.orders.liveLines(account, listingId);
  const holdings =
    listingId === null ? new Map<string, Holding | null>() : await store.erp.holdings(account, listingId);
  const skus = await skusOf(context, sku);
  const lines: CountedLines['lines'][number][] = [];
  let lineProblem: string | null = null;
  let awaitingErp = false;
  for (const [number, ofOrder] of Map.groupBy(found, (row) => row.number)) {
    const linked = holdings.get(number);
    const erpOrder = linked === undefined ? await findUnlinked(context, number) : linked;
    const told = erpOrder === null || erpOrder.countedSince === null ? ZERO : quantityOf(erpOrder, skus);
    const counted = asOf !== null && erpOrder?.countedSince != null && isBefore(erpOrder.countedSince, asOf);
    if (told.greaterThan(0) && !counted) awaitingErp = true;
    let rest = counted ? told : ZERO;
    for (const { line, effect, modified } of ofOrder) {
      if (erpOrder === null && effect === 'consumed' && isBeforeExport(config, modified)) continue;
      const quantity = lineQuantity(line, config.inventory.lineQuantityIn, unitMultiplier);
      if (typeof quantity === 'string') {
        lineProblem ??= `order ${number}, line ${line.id}: ${quantity}`;
        continue;
      }
      const within = quantity.lessThan(rest) ? quantity : rest;
      rest = rest.minus(within);
      lines.push(...split(number, quantity, within, effect));
    }
  }
  return { lines, lineProblem, awaitingErp };
}

/** What was consumed by orders that are too old to be exported left the ERP's books by other ways, long ago. */
function isBeforeExport({ orders }: AccountContext['config'], modified: string): boolean {
  return orders.exportFrom !== null && isBefore(modified, orders.exportFrom);
}

function split(order: string, quantity: Decimal, counted: Decimal, effect: Effect): CountedLines['lines'] {
  const parts = [
    { order, quantity: counted, effect, counted: true },
    { order, quantity: quantity.minus(counted), effect, counted: false },
  ];
  return parts.filter((part) => !part.quantity.isZero());
}

function lineQuantity(
  line: StoredLine,
  unit: AccountContext['config']['inventory']['lineQuantityIn'],
  unitMultiplier: Decimal | null,
): Decimal | string {
  const quantity = erpQuantity(line.quantity, unit, line.unitMultiplier ?? unitMultiplier);
  if (quantity === null) return 'its quantity is in cases and the units per case are not known';
  const problem = quantityProblem(quantity);
  return problem === null ? quantity : `its quantity ${problem}`;
}

async function findUnlinked(
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  number: string,
): Promise<Holding | null> {
  const [found] = await store.erp.ordersByReference(account, number);
  return found ?? null;
}

/** Under which SKUs the ERP's orders may have the product: what it is called now, and was called before. */
async function skusOf(
  { account, store }: Pick<AccountContext, 'account' | 'store'>,
  sku: string,
): Promise<ReadonlySet<string>> {
  const skus = new Set([sku]);
  const [product] = await store.erp.productsBySku(account, sku);
  if (product === undefined) return skus;
  for (const former of await store.erp.formerSkus(account, product.id)) {
    // Another product has taken it over: whose a line is cannot be told, and nothing is given away.
    if ((await store.erp.productsBySku(account, former)).length === 0) skus.add(former);
  }
  return skus;
}

function quantityOf(order: Holding, skus: ReadonlySet<string>): Decimal {
  return order.lines.filter((line) => skus.has(line.sku)).reduce((total, line) => total.plus(line.quantity), ZERO);
}
