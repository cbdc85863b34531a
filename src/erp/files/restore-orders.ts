import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { instantOf } from './clock.ts';
import { joinPath } from './exchange.ts';
import { readOrder, saveOrder } from './stored-orders.ts';
import { clockOf, moveClock } from './view.ts';
import { type Copy, fileSafe, WRITTEN, type Writing } from './write-order.ts';

const MAX_COPY_BYTES = 4_000_000;

/** Copies the written orders of the archive into a new view. */
export async function restoreOrders(writing: Writing, spool: string): Promise<void> {
  const { exchange, view, settings, now } = writing;
  const folder = joinPath(settings.archive, WRITTEN);
  for (const { name, kind } of await exchange.list(folder)) {
    if (kind !== 'file' || !name.endsWith('.json') || name.startsWith('.')) continue;
    const path = join(spool, 'copy');
    await exchange.fetch(joinPath(folder, name), path, MAX_COPY_BYTES);
    const { reference, ...copy } = JSON.parse(await readFile(path, 'utf8')) as Copy;
    await rm(path, { force: true });
    if (readOrder(view, reference) !== null) continue;
    view.transaction(() => {
      const seen = moveClock(view, 'orders', 0);
      const writtenAt = instantOf(clockOf(view, 'orders'));
      const written = { ...copy, sinceMs: now(), writtenAt, pending: null };
      saveOrder(view, { reference, id: `order-${fileSafe(reference)}`, written, told: null, seen });
    });
  }
}
