import { deepStrictEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isBefore } from '../../domain/instant.ts';
import type { ErpConnector, ErpLot, ErpPage, StockRow } from '../connector.ts';
import { asOf, type Checks, cancel, draftOf, type ErpDescription, figures, moved, sameDecimal } from './probe.ts';

export function stockChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'stock is read for the SKUs asked for, and an unknown one is absent': async () => {
      const page = await erp.readStock([...has.skus, `conformance-${randomUUID()}`]);
      deepStrictEqual([...new Set(page.items.map((row) => row.sku))].sort(), [...has.skus].sort());
      ok(page.complete, 'the read is not complete');
    },
    'a SKU has one row, or one for each location and batch': async () => {
      const seen = new Set<string>();
      for (const row of (await erp.readStock(has.skus)).items) {
        ok(!seen.has(placeOf(row)), `${placeOf(row)} stands twice`);
        seen.add(placeOf(row));
      }
    },
    'what is available is what is on hand less what is reserved, the same in a listing and in a read': async () => {
      const listed = (await Array.fromAsync(erp.listStock(null))).flatMap((page) => page.items);
      for (const row of (await erp.readStock(has.skus)).items) {
        sameDecimal(row.available, row.onHand.minus(row.reserved), `${row.sku} available`);
        const twin = listed.find((other) => placeOf(other) === placeOf(row));
        ok(twin !== undefined, `${row.sku} is not in the listing`);
        sameDecimal(twin.available, row.available, `${row.sku} in the listing`);
      }
    },
    'a draft reserves nothing, a reserved order its quantities, a cancelled one nothing again': async () => {
      const start = await figures(erp, has);
      const made = await erp.createOrder(draftOf(has, 'draft', '1.5'));
      deepStrictEqual(await figures(erp, has), start, 'after the draft');
      await erp.updateOrder(made.id, { status: 'reserved' });
      deepStrictEqual(await figures(erp, has), moved(start, '0', '1.5'), 'after reserving');
      await cancel(erp, made);
      deepStrictEqual(await figures(erp, has), start, 'after cancelling');
    },
    'a stock row says when it was looked at, not when it changed: asked now, it is no older than a list before':
      async () => {
        const before = asOf(await Array.fromAsync(erp.listStock(null)));
        for (const row of (await erp.readStock(has.skus)).items) {
          ok(!isBefore(row.asOf, before), `${row.sku} is as of ${row.asOf}, before ${before}`);
        }
      },
    'a reservation shows in the stock listed since before it': async () => {
      const before = asOf(await Array.fromAsync(erp.listStock(null)));
      const made = await erp.createOrder(draftOf(has, 'reserved', '1'));
      const changed = (await Array.fromAsync(erp.listStock(before))).flatMap((page) => page.items);
      ok(
        changed.some((row) => row.sku === has.skus[0]),
        `${has.skus[0]} is not among the changed rows`,
      );
      await cancel(erp, made);
    },
  };
}

function placeOf({ sku, location, batch }: StockRow): string {
  return [sku, location ?? 'no location', batch ?? 'no batch'].join(', ');
}

/** For ERPs that list the lots that their stock lies in. */
export function lotChecks(
  erp: ErpConnector,
  has: ErpDescription,
  addLot: NonNullable<ErpDescription['addLot']>,
): Checks {
  return {
    'a lot is listed with its product and the name of its batch, among all and among what changed': async () => {
      ok(erp.listLots !== undefined, 'the connector lists no lots');
      const before = asOf(await Array.fromAsync(erp.listLots(null)));
      const batch = `conformance-${randomUUID()}`;
      const id = await addLot(has.skus[0], batch);
      const product = (await erp.readStock([has.skus[0]])).items[0]?.productId;
      for (const since of [null, before]) {
        const pages: ErpPage<ErpLot>[] = await Array.fromAsync(erp.listLots(since));
        const found = pages.flatMap((page) => page.items).find((lot) => lot.id === id);
        deepStrictEqual([found?.productId, found?.batch], [product, batch], `since ${since}`);
      }
    },
    'an ERP that lists lots says so': async () => {
      ok((await erp.ping()).can?.includes('lots'), 'ping does not say that it can do "lots"');
    },
  };
}
