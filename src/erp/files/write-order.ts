import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wire } from '../wire.ts';
import { instantOf } from './clock.ts';
import { type Exchange, ExchangeError, joinPath, splitPath } from './exchange.ts';
import { exchangeFailure } from './failure.ts';
import type { OrderBody, Written } from './order-state.ts';
import { orderFile } from './render.ts';
import type { FilesSettings } from './settings.ts';
import { forgetOrder, readOrder, type StoredOrder, saveOrder } from './stored-orders.ts';
import { clockOf, moveClock, type View } from './view.ts';
import type { Writer } from './writer.ts';

export interface Writing {
  readonly exchange: Exchange;
  readonly view: View;
  readonly settings: FilesSettings;
  readonly wire: Wire | undefined;
  readonly writer: Writer;
  readonly now: () => number;
}

/** The archive folder with each written order's latest content. */
const WRITTEN = 'orders_out';

/**
 * Writes an order's file under a temporary name, then renames it. Each step is recorded first, so that `settle` can
 * find out after a crash whether the rename happened.
 * @throws CallFailure
 */
export async function writeOrder(
  writing: Writing,
  reference: string,
  id: string,
  body: OrderBody,
): Promise<StoredOrder> {
  try {
    return await writing.writer.alone(() => writeAlone(writing, reference, id, body));
  } catch (error) {
    throw exchangeFailure(error, false);
  }
}

async function writeAlone(writing: Writing, reference: string, id: string, body: OrderBody): Promise<StoredOrder> {
  const { exchange, view, settings, wire } = writing;
  const before = readOrder(view, reference);
  const revision = (before?.written.revision ?? 0) + 1;
  const file = settings.ordersOut.files
    .replace('{reference}', fileSafe(reference))
    .replace('{revision}', String(revision));
  const { folder, name } = splitPath(file);
  const temporary = joinPath(folder, `.${name}.tmp`);
  let named = false;
  try {
    const content = await orderFile(settings.ordersOut, body, revision);
    const added = await addsOne(exchange, before?.written ?? null, file);
    const pending = { body, file, temporary, added };
    const { outstanding } = savePending(view, { reference, id }, { stage: 'begun', ...pending });
    await exchange.makeFolder(folder);
    await exchange.write(temporary, content);
    await keepCopy(writing, id, { reference, revision, file, outstanding, body });
    savePending(view, { reference, id }, { stage: 'ready', ...pending });
    const cut = wire?.cut?.('WRITE order') ?? null;
    named = true;
    if (cut === 'not-applied') throw new ExchangeError('lost', `${exchange.name}: the connection was lost.`);
    await exchange.rename(temporary, file);
    wire?.saw?.({ operation: 'WRITE order', request: `${file}\n${Buffer.from(content).toString()}`, answer: null });
    if (cut === 'answer-lost') throw new ExchangeError('lost', `${exchange.name}: the connection was lost.`);
    return applied(writing, reference);
  } catch (error) {
    const unsure = named && error instanceof ExchangeError && error.kind === 'lost';
    if (!unsure) await settleAlone(writing, reference).catch(() => {});
    throw exchangeFailure(error, false, unsure);
  }
}

type Pending = NonNullable<Written['pending']>;

/** Stores only the stage of the write: an acknowledgement may have changed the rest of the order meanwhile. */
function savePending(
  view: View,
  { reference, id }: Pick<StoredOrder, 'reference' | 'id'>,
  { added, ...file }: Omit<Pending, 'outstanding'> & { readonly added: boolean },
): Pending {
  return view.transaction(() => {
    const order = readOrder(view, reference) ?? { reference, id, told: null, seen: 0, written: NOTHING };
    const outstanding = Math.max(1, order.written.outstanding + (added ? 1 : 0));
    const pending = { ...file, outstanding };
    saveOrder(view, { ...order, written: { ...order.written, pending } });
    return pending;
  });
}

const NOTHING: Omit<Written, 'pending'> = {
  body: { reference: '', status: '', lines: [] },
  revision: 0,
  file: '',
  outstanding: 0,
  sinceMs: 0,
  writtenAt: '1970-01-01T00:00:00Z',
};

/** Whether the file needs its own acknowledgement. One that replaces an unread file does not. */
async function addsOne(exchange: Exchange, before: Written | null, file: string): Promise<boolean> {
  return before?.file !== file || (await exchange.stat(file)) === null;
}

/** A written order in the archive, for a lost view. */
interface Copy {
  readonly reference: string;
  readonly revision: number;
  readonly file: string;
  readonly outstanding: number;
  readonly body: OrderBody;
}

async function keepCopy({ exchange, settings }: Writing, id: string, kept: Copy): Promise<void> {
  const { reference, revision, file, outstanding, body } = kept;
  const copy: Copy = { reference, revision, file, outstanding, body };
  const folder = joinPath(settings.archive, WRITTEN);
  await exchange.makeFolder(folder);
  const temporary = joinPath(folder, `.${id}.json.tmp`);
  await exchange.write(temporary, Buffer.from(`${JSON.stringify(copy)}\n`));
  await exchange.rename(temporary, joinPath(folder, `${id}.json`));
}

const MAX_COPY_BYTES = 4_000_000;

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

function applied({ view, now }: Writing, reference: string): StoredOrder {
  return view.transaction(() => {
    const order = readOrder(view, reference);
    const pending = order?.written.pending ?? null;
    if (order === null || pending === null) throw new Error(`no file of order ${reference} is being written`);
    const seen = moveClock(view, 'orders', 0);
    const { body, file, outstanding } = pending;
    const { revision, sinceMs } = order.written;
    const first = order.written.outstanding === 0 ? now() : sinceMs;
    const writtenAt = instantOf(clockOf(view, 'orders'));
    const written = { body, file, outstanding, revision: revision + 1, sinceMs: first, writtenAt, pending: null };
    const saved = { ...order, seen, written };
    saveOrder(view, saved);
    return saved;
  });
}

/**
 * Finds out whether an interrupted write's file got its final name. If not, the write is given up and the temporary
 * file removed.
 * @throws ExchangeError when the exchange cannot be reached
 */
export async function settle(writing: Writing, reference: string): Promise<void> {
  if ((readOrder(writing.view, reference)?.written.pending ?? null) === null) return;
  await writing.writer.alone(() => settleAlone(writing, reference));
}

async function settleAlone(writing: Writing, reference: string): Promise<void> {
  const { exchange, view, settings } = writing;
  const order = readOrder(view, reference);
  const pending = order?.written.pending ?? null;
  if (order === null || pending === null) return;
  const isThere = (await exchange.stat(pending.temporary)) !== null;
  if (pending.stage === 'ready' && !isThere) {
    applied(writing, reference);
    return;
  }
  if (isThere) await exchange.remove(pending.temporary);
  if (order.written.revision === 0)
    await exchange.remove(joinPath(joinPath(settings.archive, WRITTEN), `${order.id}.json`));
  else await keepCopy(writing, order.id, { reference, ...order.written });
  view.transaction(() => {
    if (order.written.revision === 0) forgetOrder(view, reference);
    else saveOrder(view, { ...order, written: { ...order.written, pending: null } });
  });
}

/** A file name for every file system, unique for each reference. */
export function fileSafe(reference: string): string {
  const bytes = new TextEncoder().encode(reference);
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
