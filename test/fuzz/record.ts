import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { startSandboxErp } from '../../src/sandbox/erp/server.ts';
import { FULL_ACCESS } from '../../src/sandbox/marketplace/auth.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import { syncAccount } from '../../src/use/sync.ts';
import { openDoor } from '../support/twisted.ts';
import { ADDRESS, PERSON, SECRETS, writeConfig } from './people.ts';
import { recorder } from './replay.ts';

const PRODUCTS = 4;
const ORDERS = 8;

/** Plays some business between two sandboxes, and returns both sides in their final state. */
export async function recordSides() {
  const dir = mkdtempSync(join(tmpdir(), 'fuzz-record-'));

  const marketplace = await startSandboxMarketplace({
    settings: { rate: null },
    keys: [{ ...FULL_ACCESS, secret: SECRETS[0] }],
  });
  const erp = await startSandboxErp({ tokens: [SECRETS[1]] });
  const recorders = { marketplace: recorder(), erp: recorder() };
  const doors = { marketplace: await openDoor(marketplace.url), erp: await openDoor(erp.url) };
  try {
    erp.control.seed(PRODUCTS);
    for (const name of ['', ' West', ' East'])
      erp.control.addCustomer({ ...PERSON, name: PERSON.name + name, active: true, addresses: { delivery: ADDRESS } });
    const { config } = loadConfig(writeConfig(dir, [doors.marketplace.url, doors.erp.url]), {});
    const log = createLogger({ level: 'silent', secrets: [] });
    const app = await startApp({ config, log, unlimited: true }, ['work']);
    const context = app.core.accounts.get('main');
    if (context === undefined) throw new Error('there is no account main');
    const sync = () => syncAccount(app.core, context, AbortSignal.timeout(240_000), () => {});
    await sync();
    const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    for (let n = 0; n < ORDERS; n += 1) {
      const product = 1 + (n % PRODUCTS);
      if (marketplace.products().some(({ id }) => id === product))
        marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] });
    }
    await sync();
    for (const side of ['marketplace', 'erp'] as const) {
      doors[side].twist = (answer) => {
        recorders[side].saw(answer);
        return answer;
      };
    }
    await sync();
    await app.stop(5_000);
    return { marketplace: await recorders.marketplace.replay(), erp: await recorders.erp.replay() };
  } finally {
    for (const door of Object.values(doors)) await door.close();
    await marketplace.close();
    await erp.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
