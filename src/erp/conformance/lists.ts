import { deepStrictEqual, ok } from 'node:assert/strict';
import { isBefore } from '../../domain/instant.ts';
import type { ErpConnector } from '../connector.ts';
import { asOf, type Checks, cancel, draftOf, type ErpDescription, failureOf, idsOf } from './probe.ts';

export function listChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'ping says who it is and what time it has': async () => {
      const { name, time } = await erp.ping();
      ok(name !== '', 'the name is empty');
      ok(!Number.isNaN(Date.parse(time)), `${time} is not a time`);
    },
    'a listing of all products has every product once and says at its end, and only there, that it is complete':
      async () => {
        const pages = await Array.fromAsync(erp.listProducts(null));
        const ids = idsOf(pages);
        deepStrictEqual(new Set(ids).size, ids.length, 'a product came twice');
        deepStrictEqual(
          pages.map((page) => page.complete).indexOf(true),
          pages.length - 1,
          'complete is said elsewhere',
        );
        const skus = new Set(pages.flatMap((page) => page.items.map((item) => item.sku)));
        for (const sku of has.skus) ok(skus.has(sku), `${sku} is not in the listing`);
        if (has.productCount !== undefined) deepStrictEqual(ids.length, has.productCount, 'the number of products');
      },
    'rows that do not fit are set aside with their id and place, and the others are there': async () => {
      const pages = await Array.fromAsync(erp.listProducts(null));
      const misfits = pages.flatMap((page) => page.misfits);
      for (const misfit of misfits) ok(misfit.path !== '' && misfit.message !== '', `${misfit.what} says not why`);
      deepStrictEqual(misfits.map((misfit) => misfit.id ?? misfit.what).sort(), [...(has.misfitIds ?? [])].sort());
    },
    'the time of a read never goes back, within a listing it is the time of its start': async () => {
      const first = await Array.fromAsync(erp.listStock(null));
      const second = await Array.fromAsync(erp.listStock(null));
      for (const page of first) ok(!isBefore(asOf(first), page.asOf), `${page.asOf} is after the start`);
      ok(!isBefore(asOf(second), asOf(first)), `${asOf(second)} is before ${asOf(first)}`);
    },
    'what changed since the time of a listing is what changed, and no more': async () => {
      const before = await Array.fromAsync(erp.listOrders(null));
      const made = await erp.createOrder(draftOf(has, 'draft', '1'));
      const since = idsOf(await Array.fromAsync(erp.listOrders(asOf(before))));
      ok(since.includes(made.id), `order ${made.id} was made after ${asOf(before)} and is not listed since then`);
      const items = before.flatMap((page) => page.items);
      const old = items.filter((order) => isBefore(order.changedAt, asOf(before))).map((order) => order.id);
      deepStrictEqual(
        since.filter((id) => old.includes(id)),
        [],
        'orders that did not change are listed',
      );
      await cancel(erp, made);
    },
    'a call that is stopped ends with a failure, and a definite no where nothing was sent': async () => {
      const failure = await failureOf(erp.createOrder(draftOf(has, 'draft', '1'), AbortSignal.abort()));
      deepStrictEqual(failure.outcome, 'not-applied');
    },
  };
}
