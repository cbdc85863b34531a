import { z } from 'zod';
import { allRecords, parsed } from './records.ts';
import type { Rpc } from './rpc.ts';
import type { TrytonSettings } from './settings.ts';

/** The connection and settings shared by all parts of the connector. */
export interface Tryton {
  readonly rpc: Rpc;
  readonly books: () => Promise<Books>;
  readonly settings: TrytonSettings;
}

/** Facts that change only when Tryton is set up anew. */
export interface Books {
  readonly userId: number;
  readonly company: number;
  /** Of the company and its prices. */
  readonly currency: string;
  readonly currencies: ReadonlyMap<string, number>;
  readonly warehouse: number;
  readonly modules: ReadonlySet<string>;
}

const companyRow = z.object({ 'currency.': z.object({ code: z.string() }) });
const currencyRow = z.object({ id: z.int(), code: z.string() });
const warehouseRow = z.object({ id: z.int(), code: z.string().nullable(), name: z.string() });
const moduleRow = z.object({ name: z.string() });

/** @returns a function that reads the books once, and again after a failure */
export function booksOf(rpc: Rpc, settings: TrytonSettings): () => Promise<Books> {
  let known: Promise<Books> | null = null;
  return () => {
    const begun = (known ??= open(rpc, settings));
    begun.catch(() => {
      if (known === begun) known = null;
    });
    return begun;
  };
}

async function open(rpc: Rpc, { warehouse: code }: TrytonSettings): Promise<Books> {
  const { userId, company } = await rpc.who();
  const asked = { purpose: 'show its company and its warehouses' };
  if (company === null) throw rpc.refuse(asked, 'its user works for no company. Give the user one in Tryton.');
  const answer = await rpc.call('model.company.company.read', [[company], ['currency.code']], asked);
  const [about] = parsed(rpc, Array.isArray(answer) ? answer : [], companyRow, asked);
  const every = <T>(model: string, record: z.ZodType<T>, ...domain: unknown[]) =>
    allRecords(rpc, { model, domain, record }, asked);
  const currencies = await every('currency.currency', currencyRow);
  const warehouses = await every('stock.location', warehouseRow, ['type', '=', 'warehouse']);
  const modules = await every('ir.module', moduleRow, ['state', '=', 'activated']);
  const found = warehouses.filter((one) => code === undefined || one.code === code);
  const [warehouse] = found;
  if (warehouse === undefined || found.length > 1 || about === undefined) {
    const names = warehouses.map((one) => one.code ?? one.name).join(', ');
    throw rpc.refuse(asked, `set erp.settings.warehouse to the code of one of its warehouses: ${names}.`);
  }
  return {
    userId,
    company,
    currency: about['currency.'].code,
    currencies: new Map(currencies.map((one) => [one.code, one.id])),
    warehouse: warehouse.id,
    modules: new Set(modules.map((one) => one.name)),
  };
}
