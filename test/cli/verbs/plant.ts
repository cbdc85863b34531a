import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSandboxErp } from '../../../src/sandbox/erp/server.ts';
import { startSandboxMarketplace } from '../../../src/sandbox/marketplace/start.ts';
import { ROOT } from '../../support/guide.ts';
import { WEBHOOK_SECRET } from '../../support/webhook-secret.ts';

const SHIPPED = ['package.json', 'package-lock.json', 'migrations', 'config', 'src', '.setup'];

/** A copy as on a machine that runs the daemon: the files that are shipped, and no package for developers. */
export function installCopy(): { readonly launcher: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'installed-'));
  for (const name of SHIPPED) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly devOptional?: true }>>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
    const isOwn = path.lastIndexOf('node_modules/') === 0;
    if (!isOwn || dev || devOptional || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(dir, path));
  }
  const listed = 'node_modules/.package-lock.json';
  copyFileSync(join(ROOT, listed), join(dir, listed));
  return { launcher: join(dir, '.setup/stockbridge'), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The result of a command in a shell. */
export interface Typed {
  readonly code: number | null;
  readonly output: string;
}

/** A person's folder with a configuration, in front of a marketplace and an ERP. */
export interface Place {
  readonly dir: string;
  /** The number of an order that came, and the SKU that it is about. */
  readonly order: string;
  readonly sku: string;
  /** Writes a configuration with this `state` section. */
  configure(state: string, name?: string): void;
  /** @param until the command is told to end, by SIGTERM, once its output matches */
  type(command: string, input?: string, until?: RegExp): Promise<Typed>;
  close(): Promise<void>;
}

const LIMIT_MS = 240_000;

export async function openPlace(launcher: string): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'verbs-'));
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  symlinkSync(launcher, join(bin, 'stockbridge'));
  const marketplace = await startSandboxMarketplace({ settings: { rate: null } });
  const erp = await startSandboxErp({ tokens: ['an-erp-token'] });
  erp.control.seed(3);
  const sku = 'SB-0001';
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  marketplace.createProducts([{ sku, name: 'One', quantity: 5 }]);
  const { number } = marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  writeFileSync(join(dir, 'key'), marketplace.key);
  writeFileSync(join(dir, 'token'), 'an-erp-token');
  writeFileSync(join(dir, 'products.json'), '[{"sku":"A-1","name":"Tea","price":"1.50"}]');
  writeFileSync(join(dir, 'env.sh'), `MARKETPLACE=${marketplace.url} ERP=${erp.url} ORDER=${number}\n`);
  return {
    dir,
    order: number,
    sku,
    configure(state, name = 'stockbridge.yaml') {
      writeFileSync(
        join(dir, name),
        `state: ${state}
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: "\${file:${dir}/key}" }
      seller_id: 4711
      webhooks: { secret: ${WEBHOOK_SECRET} }
    erp: { type: http, url: "${erp.url}", token: "\${file:${dir}/token}" }
    inventory: { strategy: submitted-available }
    orders: { export_from: 2000-01-01T00:00:00Z }
`,
      );
    },
    async type(command, input = '', until) {
      const child = spawn('sh', ['-c', `. ./env.sh; ${command}`], {
        cwd: dir,
        env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
        timeout: LIMIT_MS,
      });
      let isEnded = false;
      let seen = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          seen += chunk;
          if (isEnded || until === undefined || !until.test(seen)) return;
          isEnded = true;
          child.kill('SIGTERM');
        });
      }
      child.stdin.on('error', () => {}).end(input);
      await once(child, 'close');
      return { code: child.exitCode, output: seen };
    },
    async close() {
      await marketplace.close();
      await erp.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The commands of the whole tree, by the helps that the installed program prints. */
export async function verbsOf(help: (path: readonly string[]) => Promise<string>): Promise<string[]> {
  const walk = async (path: readonly string[]): Promise<string[]> => {
    const [, commands] = /\nCommands:\n((?: {2}.*\n)*)/.exec(await help(path)) ?? [];
    if (commands === undefined) return [path.join(' ')];
    const names = [...commands.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
    return (await Promise.all(names.map((name) => walk([...path, name])))).flat();
  };
  return walk([]);
}
