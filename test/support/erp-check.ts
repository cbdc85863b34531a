import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ZERO } from '../../src/domain/decimal.ts';
import { CallFailure } from '../../src/domain/failure.ts';
import { type Capabilities, capabilitiesOf } from '../../src/erp/capabilities.ts';
import type { ErpConnector, ErpOrderDraft } from '../../src/erp/connector.ts';
import { createContractErp } from '../../src/erp/contract/connector.ts';
import type { Uses } from '../../src/erp/promises/bench.ts';
import type { Finding } from '../../src/erp/promises/check.ts';
import type { LeftBehind } from '../../src/erp/promises/made.ts';
import { createRecorder } from '../../src/erp/promises/recorder.ts';
import type { Wire } from '../../src/erp/wire.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { type SandboxErp, startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { type CheckOptions, checkConnection } from '../../src/use/erp/check.ts';
import { exact } from './units.ts';

export const TOKEN = 'sesame-4711';
/** Short, because some checks wait for something that never comes. */
const PATIENCE = { forMs: 1_000, everyMs: 50 };
const DAY_MS = 86_400_000;

export const EVERYTHING: Uses = {
  drafts: true,
  customers: true,
  payments: true,
  products: true,
  transports: true,
  approvals: true,
  lots: true,
};

/** The ERP of the sandbox, whose products and first orders are three days old. */
export async function settledErp(products = 30): Promise<SandboxErp> {
  const sandbox = await startSandboxErp({ tokens: [TOKEN] });
  onTestFinished(() => sandbox.close());
  const { control } = sandbox;
  control.setClockOffset(-3 * DAY_MS);
  control.seed(products);
  const customer = control.addCustomer({ name: 'Corner Shop' });
  const lines = [{ sku: 'SB-0003', quantity: '1', unit_price: '2.00' }];
  for (const _ of Array(3)) {
    const order = control.createOrder({ customer: { id: customer.id }, currency: 'USD', lines, status: 'reserved' });
    control.addPayment({ order_id: order.id, amount: '2.00' });
  }
  control.setClockOffset(0);
  return sandbox;
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly left: readonly LeftBehind[];
  /** Names of checks with this result. */
  named(result: Finding['result']): string[];
}

type Checking = Partial<CheckOptions> & {
  readonly broken?: (erp: ErpConnector) => ErpConnector;
  readonly signal?: AbortSignal;
  /** `erp.timeout`. A create that is in doubt is made again after twice that time. */
  readonly timeout?: string;
};

/** Checks the connection to an ERP at this address. */
export function checked(url: string, said: Partial<Capabilities>, options: Checking = {}): Promise<Checked> {
  const open = (wire: Wire) => createContractErp({ url, token: TOKEN, timeoutMs: 5_000, wire });
  return checkedErp(open, capabilitiesOf(said), options);
}

/** Checks a connector. It is closed with the test. */
export async function checkedErp(
  open: (wire: Wire) => ErpConnector | Promise<ErpConnector>,
  can: Capabilities,
  options: Checking = {},
): Promise<Checked> {
  const dir = mkdtempSync(join(tmpdir(), 'check-'));
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(
    file,
    `version: 1
accounts:
  main:
    marketplace: { base_url: "http://127.0.0.1:1", auth: { scheme: app, key: a-key }, seller_id: 1 }
    erp: { type: http, url: "http://127.0.0.1:1", token: ${TOKEN}, timeout: ${options.timeout ?? '30s'} }
    inventory: { strategy: a }
`,
  );
  const { config } = loadConfig(file, {});
  const [account] = config.accounts;
  if (account === undefined) throw new Error('there is an account');
  const recorder = createRecorder();
  const made = await open(recorder.wire);
  const erp = options.broken?.(made) ?? made;
  onTestFinished(async () => {
    await made.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const findings: Finding[] = [];
  const log = createLogger({ level: 'silent', secrets: [] });
  const { signal = AbortSignal.timeout(120_000) } = options;
  const left = await checkConnection(
    { config, account, erp, can, recorder, log, signal },
    { skus: [], most: 'lasting', patience: PATIENCE, uses: EVERYTHING, ...options },
    (finding) => findings.push(finding),
  );
  const named = (result: Finding['result']) =>
    findings.filter((finding) => finding.result === result).map(({ name }) => name);
  return { findings, left, named };
}

/** An order of both SKUs with all amounts. */
export function draftOf(
  { skus, currency }: { readonly skus: readonly [string, string]; readonly currency: string },
  status: 'draft' | 'reserved',
  quantity: string,
): ErpOrderDraft {
  const prices = ['12.3450', '0.05'];
  return {
    reference: `check-${randomUUID()}`,
    status,
    customer: { name: 'a check' },
    currency,
    lines: skus.map((sku, index) => ({
      sku,
      quantity: exact(quantity),
      unitPrice: exact(prices[index] ?? '0'),
    })),
    discount: exact('1.10'),
    shipping: exact('5.00'),
    tax: ZERO,
    total: exact('16.3'),
    note: 'made by a check ✓',
  };
}

/** The failure with which a call ends. */
export async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallFailure) return error;
  throw new Error(`a failure of a call was expected, not ${String(error)}`);
}
