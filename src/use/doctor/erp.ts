import { randomUUID } from 'node:crypto';
import type { AccountConfig } from '../../config/resolve.ts';
import { isBefore } from '../../domain/instant.ts';
import type { ErpConnector, ErpPage } from '../../erp/connector.ts';
import { collectionsRead } from '../../flows/flows.ts';
import { COLLECTIONS } from '../../shadow/collections.ts';
import { judgeClock } from './clock.ts';
import { type Finding, fail, failed, ok, warn } from './finding.ts';

/** Reads a page of each list of the contract that the configuration needs: nothing is written. */
export async function* checkErp(
  erp: ErpConnector,
  config: AccountConfig,
  now: () => number,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const fromMs = now();
  try {
    const { name, version, time } = await erp.ping(signal);
    yield ok('ERP', `${name} ${version} answers, and takes the token`);
    yield judgeClock('ERP', time, fromMs, now());
  } catch (error) {
    yield failed('ERP', error);
    return;
  }
  for (const name of collectionsRead(config)) {
    const { erpList, changedAt } = COLLECTIONS[name];
    const list = erpList?.(erp);
    if (list === undefined) continue;
    const about = `ERP ${name.replace('erp-', '')}`;
    yield await checkList(
      about,
      (since) => list(since, signal),
      (changedAt as ((row: object) => string) | undefined) ?? null,
    );
  }
  yield await checkSkus(erp, signal);
  yield await checkUnknown(erp, signal);
}

/** The first page of the whole list, and of the changes since then, which must not hold unchanged rows. */
async function checkList<Row>(
  about: string,
  list: (since: string | null) => AsyncIterable<ErpPage<Row>>,
  changedAt: ((row: Row) => string) | null,
): Promise<Finding> {
  try {
    const page = await firstPage(list(null));
    const [misfit] = page.misfits;
    if (misfit !== undefined) {
      const rows = page.misfits.length === 1 ? 'a row does' : `${page.misfits.length} rows do`;
      const text = `${rows} not fit the contract; ${misfit.what}: ${misfit.path}: ${misfit.message}`;
      return warn(about, text, 'correct it in the ERP, or in the service before it: such rows are left alone');
    }
    const shown = `${page.items.length} rows${page.complete ? '' : ' on the first page'}, all fit`;
    if (changedAt === null) return ok(about, shown);
    const since = page.asOf;
    const old = (await firstPage(list(since))).items.find((row) => isBefore(changedAt(row), since));
    if (old === undefined) return ok(about, shown);
    const text = `changed_since=${since} is answered with what changed at ${changedAt(old)}`;
    return fail(about, text, 'have the ERP honour changed_since: every poll would read everything');
  } catch (error) {
    return failed(about, error);
  }
}

/** A SKU that is in the listing is found, and one that nobody has is absent. */
async function checkSkus(erp: ErpConnector, signal: AbortSignal): Promise<Finding> {
  const about = 'ERP stock by SKU';
  try {
    const [row] = (await firstPage(erp.listStock(null, signal))).items;
    const nobodys = `doctor-${randomUUID()}`;
    const found = await erp.readStock([...(row === undefined ? [] : [row.sku]), nobodys], signal);
    const skus = found.items.map(({ sku }) => sku);
    if (skus.includes(nobodys))
      return fail(about, `the SKU ${nobodys}, which nobody has, has stock`, 'have ?sku= honoured');
    if (row !== undefined && !skus.includes(row.sku)) {
      return fail(about, `${row.sku} is in the listing, and not found by ?sku=`, 'have ?sku= honoured');
    }
    const off = found.items.find(({ available, onHand, reserved }) => !available.equals(onHand.minus(reserved)));
    if (off === undefined) return ok(about, 'found, and available is on hand less reserved');
    const sum = `${off.onHand.toFixed()} on hand - ${off.reserved.toFixed()} reserved`;
    return fail(about, `${off.sku}: available ${off.available.toFixed()} is not ${sum}`, 'correct the figures');
  } catch (error) {
    return failed(about, error);
  }
}

/** Orders and customers that are not there are told apart from an ERP that cannot be asked. */
async function checkUnknown(erp: ErpConnector, signal: AbortSignal): Promise<Finding> {
  const about = 'ERP look-ups';
  const nobodys = `doctor-${randomUUID()}`;
  try {
    const byId = await erp.getOrder(nobodys, signal);
    const found = [...(await erp.findOrders(nobodys, signal)), ...(byId === null ? [] : [byId])];
    if (found.length === 0) return ok(about, 'an order that is not there is not found');
    const text = `orders are found by ${nobodys}, which no order has`;
    const mend = 'have ?reference= honoured: every new order would be taken for one that is there already';
    return fail(about, text, mend, 'failed');
  } catch (error) {
    return failed(about, error);
  }
}

async function firstPage<Row>(pages: AsyncIterable<ErpPage<Row>>): Promise<ErpPage<Row>> {
  for await (const page of pages) return page;
  throw new Error('the list has not even a first page');
}
