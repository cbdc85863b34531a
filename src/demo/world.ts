import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../app.ts';
import { loadConfig } from '../config/load.ts';
import { ROLES } from '../daemon/roles.ts';
import { createLogger } from '../logging.ts';
import type { StrategyLetter } from './compare.ts';
import { type ConfigParts, configText } from './config-file.ts';
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
  readonly poll: ConfigParts['poll'];
  readonly tell: Tell;
  /** Changes the sides before the daemon sees them. */
  readonly prepare?: (sides: Sides) => void;
}

/** Stopping does not wait for writes that wait for the quota: the next daemon would find them on record. */
const STOP_LIMIT_MS = 3_000;

/**
 * Two sides with made-up data, people in the ERP, and the daemon between them, all of them real. Everything is in a folder
 * of its own, which goes away with it.
 */
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
    const text = configText({
      dataDir: join(dir, 'data'),
      receiverPort,
      adminPort,
      marketplace: { ...sides.marketplace, sellerId: sides.marketplace.settings().sellerId },
      erp: { url: sides.erp.url, token: sides.erpToken },
      webhookSecret,
      strategy,
      poll,
    });
    writeFileSync(configFile, text, { mode: 0o600 });
    const logFile = join(dir, 'stockbridge.log');
    const { config, secrets } = loadConfig(configFile, {});
    const overhear = tellLog(tell);
    const write = (line: string) => {
      appendFileSync(logFile, line);
      overhear(line);
    };
    const log = createLogger({ level: 'info', secrets, to: { write } });
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
      /** Stops the daemon; the two sides stay as they are. */
      stopBridge,
      close: () => all.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Gone when the world is closed, or with the process if that ends before. */
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
