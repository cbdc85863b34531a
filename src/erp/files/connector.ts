import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErpConnector, noticed } from '../connector.ts';
import { notSent } from '../failure.ts';
import type { ErpCallTrace } from '../kind.ts';
import type { Wire } from '../wire.ts';
import type { Exchange } from './exchange.ts';
import { exchangeFailure } from './failure.ts';
import { listsOf } from './lists.ts';
import { ordersOf } from './orders.ts';
import { createScans, rebuild } from './scan.ts';
import type { FilesSettings } from './settings.ts';
import { isRestored, markRestored, openView } from './view.ts';
import { restoreOrders, settle } from './write-order.ts';
import { openWriter } from './writer.ts';

export interface FilesErpOptions {
  readonly settings: FilesSettings;
  readonly exchange: Exchange;
  /** A local folder for the view and for copies of files. */
  readonly dir: string;
  /** Epoch milliseconds of this machine. */
  readonly now: () => number;
  readonly onCall?: ((call: ErpCallTrace) => void) | undefined;
  readonly wire?: Wire | undefined;
}

/** The connector for an ERP that exchanges files. It answers from the files imported so far. */
export function createFilesErp(options: FilesErpOptions): ErpConnector {
  const { settings, exchange, dir, now, wire } = options;
  const view = openView(join(dir, 'files.db'));
  const spool = join(dir, 'spool');
  const saw = (file: string, rows: string) => wire?.saw?.({ operation: `TAKE ${file}`, request: file, answer: rows });
  const writer = openWriter(join(dir, 'files-writer.db'));
  const writing = { exchange, view, settings, wire, writer, now };
  const settled = (reference: string) => settle(writing, reference);
  const taking = { exchange, view, settings, spool, now, saw, settle: settled };
  const looks = createScans(taking, async (signal) => {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    if (isRestored(view)) return;
    await restoreOrders(writing, spool);
    await rebuild(taking, signal);
    markRestored(view);
  });
  const look = async (signal: AbortSignal | undefined): Promise<void> => {
    const beganMs = performance.now();
    const ended = (status: 'ok' | null) =>
      options.onCall?.({ operation: 'LOOK files', status, durationMs: performance.now() - beganMs });
    try {
      await looks.now(signal);
      ended('ok');
    } catch (error) {
      ended(null);
      throw exchangeFailure(error, true);
    }
  };

  return {
    async ping(signal) {
      await look(signal);
      // Files have no clock, so this is our time. Each list has the time of its latest file.
      const time = new Date(now()).toISOString();
      const can = settings.sources.some(({ list }) => list === 'lots') ? (['lots'] as const) : [];
      return { name: `files in ${exchange.name}`, version: '1', time, totals: 'stored', can };
    },
    ...listsOf(writing, look),
    ...ordersOf(writing, look),
    notices: noticed(() => 'cursor'),
    createCustomer: async () => {
      throw notSent('Files tell the ERP nothing of customers but in the file of an order: set customers to pass.');
    },
    createPayment: async () => {
      throw notSent('Files tell the ERP nothing of payments: set payments.to_erp: false.');
    },
    close: async () => {
      await looks.close();
      await exchange.close();
      view.close();
      writer.close();
      rmSync(spool, { recursive: true, force: true });
    },
  };
}
