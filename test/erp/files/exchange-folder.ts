import { mkdirSync, mkdtempSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ErpConnector, ErpPage } from '../../../src/erp/connector.ts';
import { accessOf } from '../../../src/erp/files/access.ts';
import { createFilesErp } from '../../../src/erp/files/connector.ts';
import { openFolder } from '../../../src/erp/files/folder.ts';
import { filesSection } from '../../../src/erp/files/schema.ts';
import { filesSettings } from '../../../src/erp/files/settings.ts';
import type { ErpCallTrace } from '../../../src/erp/kind.ts';
import type { Wire } from '../../../src/erp/wire.ts';

/** A folder of exchange with an ERP, on the real disk, and the connector over it. */
export function tradingFolder(section: object, wire?: Wire, onCall?: (call: ErpCallTrace) => void) {
  const root = mkdtempSync(join(tmpdir(), 'files-'));
  const exchange = join(root, 'exchange');
  mkdirSync(exchange);
  const parsed = filesSection.parse({ type: 'files', stable_for: '10ms', ...section, dir: exchange });
  const settings = filesSettings(parsed);
  const state: { nowMs: number; fetched: (() => Promise<void>) | null; written: (() => void) | null } = {
    nowMs: Date.parse('2026-11-23T12:00:00Z'),
    /** Called once, after the next copy of a file. */
    fetched: null,
    /** Called once, after the next write of a file under a temporary name. */
    written: null,
  };
  const disk = openFolder(exchange, accessOf(parsed));
  let erp: ErpConnector | null = null;
  const open = (): ErpConnector =>
    createFilesErp({
      settings,
      exchange: {
        ...disk,
        async write(...file) {
          await disk.write(...file);
          const { written } = state;
          state.written = null;
          written?.();
        },
        async fetch(...file) {
          await disk.fetch(...file);
          const { fetched } = state;
          state.fetched = null;
          await fetched?.();
        },
      },
      dir: join(root, 'data'),
      now: () => state.nowMs,
      wire,
      onCall,
    });

  return {
    root,
    exchange,
    state,
    /** The connector; the same one until it is opened anew. */
    erp: (): ErpConnector => (erp ??= open()),
    async reopen(): Promise<ErpConnector> {
      await erp?.close();
      erp = open();
      return erp;
    },
    /** Writes a file as the ERP does, last changed at this time. */
    async put(path: string, content: string | Uint8Array, at = '2026-11-23T02:00:00Z'): Promise<void> {
      const full = join(exchange, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
      await utimes(full, new Date(at), new Date(at));
    },
    async names(folder = ''): Promise<string[]> {
      await mkdir(join(exchange, folder), { recursive: true });
      return (await readdir(join(exchange, folder), { recursive: true })).sort();
    },
    read: (path: string) => readFile(join(exchange, path), 'utf8'),
    async close(): Promise<void> {
      await erp?.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type TradingFolder = ReturnType<typeof tradingFolder>;

export async function whole<T>(pages: AsyncIterable<ErpPage<T>> | undefined) {
  const all = await Array.fromAsync(pages ?? []);
  const last = all.at(-1);
  return {
    items: all.flatMap(({ items }) => items),
    invalidRows: all.flatMap(({ invalidRows }) => invalidRows),
    complete: last?.complete,
    asOf: last?.asOf,
    codes: (last?.notices ?? []).map(({ code }) => code),
    notices: last?.notices ?? [],
  };
}

export const PRODUCTS = {
  files: 'products-*.csv',
  row: { sku: 'Artikel', name: 'Name', price: { amount: 'Preis', currency: '"EUR"' } },
  decimal: ',',
  time: { from: 'name', pattern: 'yyyyMMdd' },
  zone: 'Europe/Berlin',
};

export const STOCK = {
  files: 'stock-*.csv',
  row: { sku: 'Artikel', on_hand: 'Bestand' },
  decimal: ',',
  time: { from: 'name', pattern: 'yyyyMMdd-HHmm' },
  zone: 'Europe/Berlin',
};

export const ACKNOWLEDGEMENTS = {
  files: 'acks/ack-*.csv',
  row: { reference: 'Referenz', number: 'Auftrag', status: 'Status', revision: 'Stand' },
  time: { from: 'name', pattern: 'yyyyMMdd-HHmm' },
};

export const SECTION = { lists: { products: PRODUCTS, stock: STOCK }, acknowledgements: ACKNOWLEDGEMENTS };

export function stockFile(figures: Readonly<Record<string, string>>): string {
  return ['Artikel;Bestand', ...Object.entries(figures).map(([sku, units]) => `${sku};${units}`), ''].join('\r\n');
}

export function productFile(skus: readonly string[]): string {
  return ['Artikel;Name;Preis', ...skus.map((sku) => `${sku};Ware ${sku};1,50`), ''].join('\r\n');
}
