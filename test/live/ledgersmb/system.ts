import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../../support/databases.ts';
import { KEPT } from '../../support/kept.ts';
import { programOf } from '../../support/parts.ts';

const run = promisify(execFile);

const OFFICE = fileURLToPath(new URL('./office.pl', import.meta.url));
const COMPANY = 'handel';
export const BRIDGE = { user: 'bridge', password: 'a password of its own' };
/** The roles of LedgerSMB that the head of the description names. */
const ROLES = [
  'base_user',
  'sales_order_create',
  'sales_order_edit',
  'sales_order_list',
  'ar_transaction_list',
  'contact_create',
  'contact_class_customer',
];

export interface LedgerSmb {
  readonly url: string;
  /** A deed of a person, by the modules of LedgerSMB. */
  does(deed: string, ...words: string[]): Promise<void>;
  sql(statement: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A company of its own in Debian's LedgerSMB, on a PostgreSQL of its own, with this number of products and 1,000 units of each. */
export async function startLedgerSmb(products: number): Promise<LedgerSmb> {
  const home = await installed();
  const database = await startPostgres();
  const address = new URL(database.url);
  address.pathname = COMPANY;
  const office = openOffice(home, address);
  const sql = async (statement: string) => {
    const client = new Client({ connectionString: address.href });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  await office.does('company');
  for (let number = 1; number <= products; number += 1) {
    const sku = `PART-${String(number).padStart(4, '0')}`;
    await office.does('part', sku, `Part no. ${number} äöü ✓`, `${number}.50`, '1000');
  }
  for (const charge of ['SHIPPING', 'DISCOUNT']) await office.does('service', charge);
  await office.does('customer', 'MARKETPLACE');
  await sql(`create role ${BRIDGE.user} login password '${BRIDGE.password}'`);
  for (const role of ROLES) await sql(`grant "lsmb_${COMPANY}__${role}" to ${BRIDGE.user}`);
  return {
    url: `postgres://${address.host}/${COMPANY}`,
    does: office.does,
    sql,
    async stop() {
      await office.close();
      await database.stop();
    },
  };
}

/** The folder of LedgerSMB. Without the package, its files are unpacked in a folder outside of the repository: no server of it is started. */
async function installed(): Promise<string> {
  const inside = join('usr', 'share', 'ledgersmb');
  if (existsSync(join('/', inside))) return join('/', inside);
  const folder = join(KEPT, 'stockbridge-live-ledgersmb');
  if (existsSync(folder)) return join(folder, inside);
  const making = `${folder}-${process.pid}`;
  await mkdir(making, { recursive: true });
  await run(programOf('debian'), ['update'], { maxBuffer: 1e8 });
  await run(programOf('debian'), ['download', 'ledgersmb'], { cwd: making });
  const [file = ''] = globSync(join(making, '*.deb'));
  const { stdout: needed } = await run(programOf('debian', 'dpkg-deb'), ['-f', file, 'Depends']);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run(programOf('debian'), ['satisfy', '-y', '--no-install-recommends', needed.trim()], { env, maxBuffer: 1e8 });
  await run(programOf('debian', 'dpkg-deb'), ['-x', file, making]);
  await rename(making, folder).catch(() => rm(making, { recursive: true }));
  return join(folder, inside);
}

/** The process that does what people do. It takes one deed at a time. */
function openOffice(home: string, { hostname, port, username, password }: URL) {
  const env = {
    ...process.env,
    LEDGERSMB: home,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: COMPANY,
  };
  const child = spawn(programOf('debian', 'perl'), [OFFICE], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  let before: Promise<unknown> = Promise.resolve();
  const one = async (words: readonly string[]): Promise<void> => {
    child.stdin.write(`${words.join('\t')}\n`);
    const answer = await answers.next();
    if (answer.value !== 'done') throw new Error(`${words.join(' ')}: ${String(answer.value ?? 'it ended')}`);
  };
  return {
    does(deed: string, ...words: string[]): Promise<void> {
      const done = before.then(() => one([deed, ...words]));
      before = done.catch(() => {});
      return done;
    },
    async close(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
