import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { type Capabilities, capabilitiesOf } from '../../src/erp/capabilities.ts';
import type { ErpConnector } from '../../src/erp/connector.ts';
import { createContractErp } from '../../src/erp/contract/connector.ts';
import type { Finding } from '../../src/erp/promises/check.ts';
import type { LeftBehind } from '../../src/erp/promises/made.ts';
import { createRecorder } from '../../src/erp/promises/recorder.ts';
import { createLogger } from '../../src/logging.ts';
import { type SandboxErp, startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { type CheckOptions, checkConnection } from '../../src/use/erp/check.ts';

export const TOKEN = 'sesame-4711';
/** Short enough that what never comes is found soon. */
const PATIENCE = { forMs: 1_000, everyMs: 50 };
const DAY_MS = 86_400_000;

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

/** Checks a connection to this address, or a connector that is made of it. */
export async function checked(
  url: string,
  said: Partial<Capabilities>,
  options: Partial<CheckOptions> & {
    readonly broken?: (erp: ErpConnector) => ErpConnector;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Checked> {
  const dir = mkdtempSync(join(tmpdir(), 'check-'));
  const file = join(dir, 'stockbridge.yaml');
  writeFileSync(
    file,
    `version: 1
accounts:
  main:
    marketplace: { base_url: "http://127.0.0.1:1", auth: { scheme: app, key: a-key }, seller_id: 1 }
    erp: { type: http, url: "${url}", token: ${TOKEN} }
    inventory: { strategy: a }
`,
  );
  const { config } = loadConfig(file, {});
  const [account] = config.accounts;
  if (account === undefined) throw new Error('there is an account');
  const recorder = createRecorder();
  const made = createContractErp({ url, token: TOKEN, timeoutMs: 5_000, wire: recorder.wire });
  const erp = options.broken?.(made) ?? made;
  onTestFinished(async () => {
    await made.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const findings: Finding[] = [];
  const log = createLogger({ level: 'silent', secrets: [] });
  const { signal = AbortSignal.timeout(120_000) } = options;
  const left = await checkConnection(
    { config, account, erp, can: capabilitiesOf(said), recorder, log, signal },
    { skus: [], most: 'lasting', patience: PATIENCE, ...options },
    (finding) => findings.push(finding),
  );
  const named = (result: Finding['result']) =>
    findings.filter((finding) => finding.result === result).map(({ name }) => name);
  return { findings, left, named };
}
