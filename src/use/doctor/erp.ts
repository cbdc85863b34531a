import { randomUUID } from 'node:crypto';
import type { AccountConfig } from '../../config/resolve.ts';
import { counted } from '../../domain/counted.ts';
import { sum } from '../../domain/decimal.ts';
import { isBefore, minusMs } from '../../domain/instant.ts';
import { workedProduct } from '../../domain/worked-units.ts';
import { capabilitiesOf, type StatedCapabilities, statedIn } from '../../erp/capabilities.ts';
import { ERP_LISTS, type ErpConnector, type ErpPage, type StockRow } from '../../erp/connector.ts';
import { referenceOf } from '../../erp/references.ts';
import { collectionsRead, FLOWS, flowsOn } from '../../flows/flows.ts';
import { COLLECTIONS } from '../../shadow/collections.ts';
import { checked, type Finding, fail, failed, judgeClock, ok, warn } from './finding.ts';

/** Reads a page of each list that the configuration needs. Writes nothing. */
export async function* checkErp(
  erp: ErpConnector,
  config: AccountConfig,
  now: () => number,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const fromMs = now();
  try {
    const ping = await erp.ping(signal);
    const { name, version, time } = ping;
    const said = statedIn(ping);
    yield ok('ERP', `${name} ${version} answers, and takes the token`);
    yield judgeClock('ERP', time, fromMs, now());
    yield* lacking(config, said);
  } catch (error) {
    yield failed('ERP', error);
    return;
  }
  const lists = collectionsRead(config).flatMap((name): [string, Check][] => {
    const { erpList, changedAt } = COLLECTIONS[name];
    const list = erpList?.(erp);
    if (list === undefined) return [];
    const isWhole = ERP_LISTS.some((one) => `erp-${one}` === name && erp.notices?.[one] === 'whole');
    const changed = isWhole ? null : ((changedAt as ((row: object) => string) | undefined) ?? null);
    return [[`ERP ${name.replace('erp-', '')}`, (about) => checkList(about, (since) => list(since, signal), changed)]];
  });
  const checks: [string, Check][] = [
    ...lists,
    ['ERP units', (about) => checkUnits(about, erp, config, signal)],
    ['ERP stock by SKU', (about) => checkSkus(about, erp, signal)],
    ['ERP look-ups', (about) => checkUnknown(about, erp, signal)],
  ];
  for (const [about, check] of checks) yield await checked(about, check);
}

/** Flows that are on although the ERP does not state that it supports them. */
function lacking(config: AccountConfig, said: StatedCapabilities): Finding[] {
  const can = capabilitiesOf(said, config.erp.capabilities);
  const known = config.against(said);
  const left = known.missing.map(({ path, capability, effect }) =>
    warn(
      'ERP',
      `${path.join('.')} has no effect with ${capability} of the ERP: ${effect}`,
      'take it out of the configuration',
    ),
  );
  const without = flowsOn(known).flatMap((flow) => {
    const { erpCan, about } = FLOWS[flow];
    if (erpCan === undefined || can[erpCan]) return [];
    const mend = `if it has this ability, let its ping answer "can": ["${erpCan}"] or set erp.capabilities.${erpCan}: true. If not, switch ${flow} off`;
    return fail('ERP', `${about}: the ERP does not report the ability "${erpCan}"`, mend);
  });
  const number = randomUUID();
  const reference = referenceOf(number, can.reference);
  const short = `an order number of ${number.length} characters goes to it as ${reference.length} letters and digits`;
  return [...left, ...without, ...(reference === number ? [] : [ok('ERP references', short)])];
}

type Check = Parameters<typeof checked>[1];

/** The error of a filter by day. */
const FILTER_MS = 86_400_000;

/** Reads the list's first page and its changes since, which must not contain unchanged rows. */
async function checkList<Row>(
  about: string,
  list: (since: string | null) => AsyncIterable<ErpPage<Row>>,
  changedAt: ((row: Row) => string) | null,
): Promise<Finding> {
  const page = await firstPage(list(null));
  const [invalidRow] = page.invalidRows;
  if (invalidRow !== undefined) {
    const rows = page.invalidRows.length === 1 ? 'a row does' : `${page.invalidRows.length} rows do`;
    const text = `${rows} not fit the contract; ${invalidRow.what}: ${invalidRow.path}: ${invalidRow.message}`;
    return warn(about, text, 'correct it in the ERP, or in the service in front of it: such rows are not processed');
  }
  const { length } = page.items;
  const fit = length === 0 ? '' : length === 1 ? ', and it fits' : ', all fit';
  const shown = `${counted(length, 'row')}${page.complete ? '' : ' on the first page'}${fit}`;
  if (changedAt === null) return ok(about, shown);
  const since = page.asOf;
  const reached = minusMs(since, FILTER_MS);
  const old = (await firstPage(list(since))).items.find((row) => isBefore(changedAt(row), reached));
  if (old === undefined) return ok(about, shown);
  const text = `the ERP ignores changed_since: asked for changes since ${since}, it returned a row that changed at ${changedAt(old)}`;
  return fail(about, text, 'let the ERP support changed_since: otherwise every poll reads the whole list');
}

/** Calculates one product in both sides' units, preferably one with several units a case. */
async function checkUnits(
  about: string,
  erp: ErpConnector,
  { units }: AccountConfig,
  signal: AbortSignal,
): Promise<Finding> {
  const { items } = await firstPage(erp.listProducts(null, signal));
  const product = items.find(({ unitMultiplier }) => !unitMultiplier.equals(1)) ?? items[0];
  if (product === undefined) return ok(about, 'there is no product to test with');
  const available = availableOf(product.sku, await erp.readStock([product.sku], signal));
  return ok(about, `for example ${workedProduct(units, { ...product, available })}`);
}

/** Summed over all places; null: not or only partly shown. */
function availableOf(sku: string, { items, invalidRows, complete }: ErpPage<StockRow>): StockRow['available'] | null {
  const rows = items.filter((row) => row.sku === sku);
  if (rows.length === 0 || invalidRows.length > 0 || !complete) return null;
  return sum(rows.map(({ available }) => available));
}

/** The ERP must find a listed SKU, and report an unknown one as absent. */
async function checkSkus(about: string, erp: ErpConnector, signal: AbortSignal): Promise<Finding> {
  const [row] = (await firstPage(erp.listStock(null, signal))).items;
  const nobodys = `doctor-${randomUUID()}`;
  const found = await erp.readStock([...(row === undefined ? [] : [row.sku]), nobodys], signal);
  const skus = found.items.map(({ sku }) => sku);
  if (skus.includes(nobodys))
    return fail(about, `the ERP shows stock for the SKU ${nobodys}, which does not exist`, 'have ?sku= honoured');
  if (row !== undefined && !skus.includes(row.sku)) {
    return fail(about, `${row.sku} is in the list, but is not found by ?sku=`, 'have ?sku= honoured');
  }
  const off = found.items.find(({ available, onHand, reserved }) => !available.equals(onHand.minus(reserved)));
  if (off === undefined) return ok(about, 'found, and available is on hand less reserved');
  const wanted = `${off.onHand.toFixed()} on hand - ${off.reserved.toFixed()} reserved`;
  return fail(about, `${off.sku}: available ${off.available.toFixed()} is not ${wanted}`, 'correct the figures');
}

/** An unknown order or customer must differ from a failed call. */
async function checkUnknown(about: string, erp: ErpConnector, signal: AbortSignal): Promise<Finding> {
  const nobodys = `doctor-${randomUUID()}`;
  const byId = await erp.getOrder(nobodys, signal);
  const found = [...(await erp.findOrders(nobodys, signal)), ...(byId === null ? [] : [byId])];
  if (found.length === 0) return ok(about, 'an unknown order is not found');
  const text = `the ERP returns an order for ${nobodys}, which no order has`;
  const mend = 'let the ERP support ?reference=: otherwise every new order seems to exist already';
  return fail(about, text, mend, 'failed');
}

async function firstPage<Row>(pages: AsyncIterable<ErpPage<Row>>): Promise<ErpPage<Row>> {
  for await (const page of pages) return page;
  throw new Error('the first page of the list cannot be read');
}
