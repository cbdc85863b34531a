import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../app/app.ts';
import { loadConfig } from '../config/load.ts';
import { ROLES } from '../daemon/roles.ts';
import { createLogger, overheard } from '../logging/logging.ts';
import type { StrategyLetter } from './compare.ts';
import { createErpStaff } from './erp-staff.ts';
import { freePort } from './free-port.ts';
import { openSides, type Sides } from './sides.ts';
import type { Tell } from './tell.ts';
import { tellBridge, tellLog } from './tell-bridge.ts';
import { tellMarketplace } from './tell-marketplace.ts';

export interface WorldOptions {
  readonly strategy: StrategyLetter;
  readonly products: number;
  readonly seed: number;
  /** How often the sides are read. */
  readonly poll: Readonly<Record<'orders' | 'products' | 'erp', string>>;
  readonly tell: Tell;
  /** Changes the sides before the daemon starts. */
  readonly prepare?: (sides: Sides) => void;
}

/** Writes that wait for the quota are on record, so stopping does not wait for them. */
const STOP_LIMIT_MS = 3_000;

/** Two real sides with sample data, people in the ERP, and the real daemon, in one temporary folder. */
export async function openWorld({ strategy, tell, poll, prepare, ...size }: WorldOptions) {
  const opened = new AsyncDisposableStack();
  try {
    const dir = temporaryFolder(opened);
    const sides = await openSides(size);
    opened.defer(() => sides.close());
    prepare?.(sides);
    tellMarketplace(sides.marketplace, tell, 'the bridge');
    const webhookSecret = randomBytes(16).toString('hex');
    const configFile = join(dir, 'stockbridge.yaml');
    const receiverPort = await freePort();
    const adminPort = await freePort({ not: [receiverPort] });
    const text = configText(sides, { strategy, poll }, { dir, receiverPort, adminPort, webhookSecret });
    writeFileSync(configFile, text, { mode: 0o600 });
    const logFile = join(dir, 'stockbridge.log');
    const { config, secrets } = loadConfig(configFile, {});
    const write = (line: string) => appendFileSync(logFile, line);
    const log = overheard(createLogger({ level: 'info', secrets, to: { write } }), tellLog(tell));
    const app = await startApp({ config, log, onJournal: tellBridge(tell, customerName(sides)) }, ROLES);
    let stopped: Promise<void> | null = null;
    const stopBridge = () => (stopped ??= app.stop(STOP_LIMIT_MS));
    opened.defer(stopBridge);
    sendWebhooks(sides, app.receiverUrl ?? '', webhookSecret);
    const all = opened.move();
    const erpStaff = createErpStaff(sides.erp.control, tell);
    return {
      ...sides,
      strategy,
      app,
      erpStaff,
      configFile,
      logFile,
      tell,
      /** Stops only the daemon. */
      stopBridge,
      close: () => all.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The configuration of the demo's daemon. */
function configText(
  { marketplace, erp, erpToken }: Sides,
  { strategy, poll }: Pick<WorldOptions, 'strategy' | 'poll'>,
  own: { dir: string; receiverPort: number; adminPort: number; webhookSecret: string },
): string {
  return `# The configuration of the running demo. It goes away with it.
version: 1
state: { dir: ${JSON.stringify(join(own.dir, 'data'))} }
webhooks: { listen: 127.0.0.1:${own.receiverPort} }
admin: { listen: 127.0.0.1:${own.adminPort}, operator_token: ${randomBytes(24).toString('hex')} }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: ${marketplace.settings().sellerId}
      timeout: 5s
      poll: { orders: ${poll.orders}, products: ${poll.products}, overlap: 2m }
      webhooks: { secret: ${own.webhookSecret} }
      # Only fulfill is documented; this marketplace knows these two as well.
      transitions: { accept: accept, reject: reject }
    erp: { type: http, url: "${erp.url}", token: ${erpToken}, poll: ${poll.erp}, timeout: 5s }
    inventory: { strategy: ${strategy} }
    # Every order is entered on the other side: those of buyers, and those that are made in the ERP.
    orders: { from_erp: { since: 2000-01-01 }, export_from: 2000-01-01T00:00:00Z, cancel_grace: 1s }
    # A dozen products, and none of them is listed yet: the usual shares would hold nearly everything.
    brakes: { create: { percent: 200 }, archive: { percent: 50 }, zero: { percent: 50 } }
`;
}

/** Removed when the world closes or the process ends. */
function temporaryFolder(opened: AsyncDisposableStack): string {
  const dir = mkdtempSync(join(tmpdir(), 'stockbridge-demo-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  opened.defer(() => {
    process.off('exit', remove);
    remove();
  });
  return dir;
}

function customerName({ marketplace }: Sides) {
  return (id: number) => marketplace.customers().find((customer) => customer.id === id)?.name ?? `customer ${id}`;
}

function sendWebhooks({ marketplace }: Sides, receiverUrl: string, secret: string): void {
  marketplace.webhooks.setTargets([
    { url: `${receiverUrl}/webhooks/main/orders`, types: ['order'], secret },
    { url: `${receiverUrl}/webhooks/main/products`, types: ['product'], secret },
  ]);
}
