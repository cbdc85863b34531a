/** A command that a user types, and its exit code. */
export interface Row {
  /** The verb, as the help of the program has it. */
  readonly verb: string;
  /** The words after it. The shell knows $ORDER, $MARKETPLACE and $ERP. */
  readonly words?: string;
  /** The exit code; one for each store where they differ. */
  readonly code: number | Readonly<Record<StoreKind, number>>;
  /** Typed on standard input. */
  readonly input?: string;
  /** The command goes on until SIGTERM, which comes once its output matches. */
  readonly until?: RegExp;
}

export type StoreKind = 'sqlite' | 'postgres';

const INIT =
  '--url $MARKETPLACE --key file:key --seller 4711 --erp http --erp-url $ERP --erp-secret file:token --strategy a --currency USD --orders-from 2026-01-01 --data new --config new.yaml';

/**
 * Every verb in the order in which they are typed, on a marketplace with a listing and an order, and an ERP with three products.
 * A verb may have several rows.
 */
export const ROWS: readonly Row[] = [
  { verb: 'guide', words: 'backup', code: 0 },
  { verb: 'completion', words: 'bash', code: 0 },
  { verb: 'user add', words: 'ann', input: 'correct horse 12\n', code: 0 },
  { verb: 'init', words: INIT, code: 0 },
  { verb: 'user link', words: 'operator --config new.yaml', code: 0 },
  { verb: 'config schema', code: 0 },
  { verb: 'config check', code: 0 },
  { verb: 'config show', code: 0 },
  { verb: 'doctor', code: 0 },
  // Nobody sits at a terminal.
  { verb: 'erp connect', code: 64 },
  { verb: 'erp check', code: 0 },
  { verb: 'erp try', words: 'products', code: 0 },
  { verb: 'erp describe', code: 0 },
  { verb: 'erp draft', words: '--from products.json', code: 0 },
  { verb: 'api', words: 'orders.list', code: 0 },
  { verb: 'plan', code: 2 },
  { verb: 'migrate', code: 0 },
  { verb: 'run', until: /started/, code: 0 },
  { verb: 'sync', code: 0 },
  { verb: 'status', code: 0 },
  { verb: 'explain', words: '$ORDER', code: 0 },
  { verb: 'journal', code: 0 },
  { verb: 'jobs list', code: 0 },
  { verb: 'jobs show', words: '1', code: 1 },
  { verb: 'jobs replay', words: '1', code: 1 },
  { verb: 'jobs discard', words: '1', code: 1 },
  { verb: 'jobs resolve', words: '1 --retry', code: 1 },
  { verb: 'brakes list', code: 0 },
  // An approval names the plan by its hash, which stands for what was shown.
  { verb: 'brakes approve', words: '1', code: 64 },
  { verb: 'brakes drop', words: '1', code: 0 },
  { verb: 'map list', code: 0 },
  { verb: 'map unlinked', code: 0 },
  { verb: 'map suggest', code: 0 },
  { verb: 'map export', words: '> links.csv', code: 0 },
  { verb: 'map import', words: 'links.csv', code: 0 },
  { verb: 'map unlink', words: 'product --marketplace 1', code: 0 },
  { verb: 'map link', words: 'product 1 --sku SB-0001', code: 0 },
  { verb: 'customer export', words: '1', code: 0 },
  // The order of this customer is open.
  { verb: 'customer forget', words: '1', code: 1 },
  { verb: 'pause', words: 'product', code: 0 },
  { verb: 'resume', words: 'product', code: 0 },
  { verb: 'audit list', code: 0 },
  { verb: 'audit verify', code: 0 },
  { verb: 'notify test', code: 0 },
  { verb: 'events list', code: 0 },
  { verb: 'events show', words: '1', code: 1 },
  { verb: 'events resend', words: '1', code: 1 },
  { verb: 'events trigger', code: 69 },
  { verb: 'events listen', until: /Ctrl-C ends it/, code: 0 },
  { verb: 'rebuild', words: '--dry-run', code: 0 },
  { verb: 'backup', words: 'copy.db', code: { sqlite: 0, postgres: 1 } },
  { verb: 'verify', code: 0 },
  { verb: 'restore', words: 'copy.db', code: { sqlite: 0, postgres: 1 } },
  { verb: 'store copy', words: '--to sqlite', code: { sqlite: 64, postgres: 0 } },
  { verb: 'store copy', words: '--to postgres --config back.yaml', code: { sqlite: 64, postgres: 0 } },
  { verb: 'sandbox', until: /They run until Ctrl-C/, code: 0 },
  { verb: 'demo', until: /readyz/, code: 0 },
];
