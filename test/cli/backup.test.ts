import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SqliteDatabase from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../../src/store/sqlite/lock.ts';
import { openStage } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation } from './installation.ts';

let site: ReturnType<typeof installation>;
let database: string;

beforeEach(async () => {
  site = installation();
  database = join(site.dir, 'stockbridge.db');
  await site.run('migrate');
});

async function setCanary(value: string): Promise<void> {
  const { store, close } = await site.open();
  await store.facts.set('main', 'canary', value);
  close();
}

function canaryIn(path: string): unknown {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  const row = sqlite.prepare("select value from facts where name = 'canary'").pluck().get();
  sqlite.close();
  return row;
}

/** Breaks the database in the middle of its data. */
async function damage(): Promise<void> {
  await setCanary('x'.repeat(40_000));
  const bytes = readFileSync(database);
  bytes.fill(0x55, bytes.length - 9_000, bytes.length - 5_000);
  writeFileSync(database, bytes);
}

/** Moves one unit between two facts again and again, each time in one transaction. Returns when this has begun. */
async function writeAllTheTime(): Promise<void> {
  const script = `
    import SqliteDatabase from 'better-sqlite3';
    const sqlite = new SqliteDatabase(${JSON.stringify(database)}, { timeout: 10000 });
    const set = sqlite.prepare("insert or replace into facts values ('main', ?, ?, 0)");
    const move = sqlite.transaction((n) => { set.run('left', String(n)); set.run('right', String(-n)); });
    for (let n = 0; ; n += 1) { move.immediate(n); if (n === 10) console.log('begun'); }`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(createInterface(child.stdout), 'line');
}

describe('backup', () => {
  test('a backup is made also where no account is usable, and no secret is readable', async () => {
    await setCanary('kept');
    const whole = readFileSync(site.file, 'utf8');
    writeFileSync(site.file, `${whole}\nadmin: { operator_token: "${'${file:absent}'}" }\naccounts: no more\n`);
    const copy = join(site.dir, 'copy.db');
    expect(await site.run('backup', copy)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(canaryIn(copy)).toBe('kept');
    for (const state of ['{ dir: 1 }', '5', '[]', '']) {
      writeFileSync(site.file, `state: ${state}\n`);
      expect(await site.run('backup', '--force', copy), state).toMatchObject({ exitCode: 78 });
    }
  });

  test.each<[string, (dir: string) => string]>([
    ['in double quotes', (dir) => `"state": { dir: ${dir} }`],
    ['in single quotes', (dir) => `'state' :\n  dir: ${dir}`],
    ['with an anchor', (dir) => `state: &place\n    dir: ${dir}`],
    ['in a file in JSON', (dir) => `{\n"accounts": {"main": "\${file:absent}"},\n"state": {\n"dir": "${dir}"\n}\n}`],
    ['in JSON on one line', (dir) => `{"state":{"dir":"${dir}"},"accounts":{}}`],
    ['in YAML in one piece', (dir) => `{ version: 1, accounts: { main: \${env:ABSENT} }, state: { dir: ${dir} } }`],
    ['after an indent', (dir) => `  version: 1\n  state:\n    dir: ${dir}\n  accounts: { main: 5 }`],
    ['in a file that is not YAML', (dir) => `accounts:\n\t- x: [\n"state": { dir: ${dir} }\n`],
    ['beside a text that looks like it', (dir) => `x: |\n  state: a\nstate: { dir: ${dir} }`],
  ])('the section of the database is found %s', async (_, fileWith) => {
    await setCanary('kept');
    writeFileSync(site.file, fileWith(site.dir));
    const copy = join(site.dir, 'copy.db');
    expect(await site.run('backup', copy)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(canaryIn(copy)).toBe('kept');
  });

  test.each([
    '{ "state": { "dir": "DIR" }, "accounts": ',
    'base: &base { state: { dir: DIR } }\n<<: *base\naccounts: {}',
    'place: &place { dir: DIR }\nstate: *place\naccounts: {}',
    'state: { dir: DIR }\nstate: { dir: other }',
  ])('backup copies no default database when the section state is unreadable: %s', async (text) => {
    writeFileSync(site.file, text.replace('DIR', site.dir));
    expect(await site.run('backup', join(site.dir, 'copy.db'))).toMatchObject({ exitCode: 78 });
    expect(existsSync(join(site.dir, 'copy.db'))).toBe(false);
  });

  test('a backup is made where the password of Redis cannot be read', async () => {
    await setCanary('kept');
    const whole = readFileSync(site.file, 'utf8');
    const redis = `redis: "redis://:${'${file:absent}'}@127.0.0.1:6379"`;
    writeFileSync(site.file, whole.replace(/^state: \{ (.*) \}$/m, `state: { $1, ${redis} }`));
    expect(readFileSync(site.file, 'utf8')).toContain('redis://');
    const copy = join(site.dir, 'copy.db');
    expect(await site.run('backup', copy)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(canaryIn(copy)).toBe('kept');
  });

  test('a backup is the database at one instant during writes, verified, and readable for its owner alone', async () => {
    // The database is so large that copying it takes a while.
    const { sqlite } = await site.open();
    const fill = sqlite.prepare("insert into facts values ('main', ?, ?, 0)");
    sqlite.transaction(() => {
      for (let row = 0; row < 5_000; row += 1) fill.run(`filling ${row}`, 'x'.repeat(1_000));
    })();
    await writeAllTheTime();
    for (const name of ['1.db', '2.db', '3.db']) {
      const file = site.path(name);
      const { exitCode, stdout } = await site.run('backup', file);
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/: ok \(\d+ bytes, checked\)\n$/)]);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const copy = new SqliteDatabase(file, { readonly: true });
      expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
      const read = (fact: string) => Number(copy.prepare('select value from facts where name = ?').pluck().get(fact));
      expect(read('left')).toBeGreaterThan(0);
      expect(read('right')).toBe(-read('left'));
      copy.close();
    }
    expect(readdirSync(site.path('.')).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  test('a backup is one file that can be moved, including the content of the log', async () => {
    const { store } = await site.open();
    await store.facts.set('main', 'canary', 'in the log');
    await site.run('backup', site.path('a.db'));
    copyFileSync(site.path('a.db'), site.path('moved.db'));
    chmodSync(site.path('moved.db'), 0o400);
    expect(canaryIn(site.path('moved.db'))).toBe('in the log');
    expect(existsSync(site.path('a.db-wal'))).toBe(false);
  });

  test('a backup never overwrites without --force, and never the database itself', async () => {
    const file = site.path('a.db');
    writeFileSync(file, 'precious');
    const refused = await site.run('backup', file);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('add --force to replace it')]);
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(await site.json('backup', file, '--force')).toEqual({ file, bytes: statSync(file).size });
    const itself = await site.run('backup', database, '--force');
    expect([itself.exitCode, itself.stderr]).toEqual([1, expect.stringContaining('is the database itself')]);
  });

  test.each([
    ['nowhere/a.db', 'does not exist: create it, or name another'],
    ['.', 'is a folder: name a file'],
  ])('a backup into %s is refused', async (name, message) => {
    const { exitCode, stderr } = await site.run('backup', site.path(name));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test('a backup without a database is refused', async () => {
    const { exitCode, stderr } = await installation().run('backup', site.path('a.db'));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('there is nothing to back up')]);
  });

  test('a backup of a damaged database is reported as damaged, and leaves the older backup alone', async () => {
    await damage();
    writeFileSync(site.path('a.db'), 'an older backup');
    expect((await site.run('backup', site.path('a.db'), '--force')).exitCode).toBe(1);
    expect(readFileSync(site.path('a.db'), 'utf8')).toBe('an older backup');
  });
});

describe('restore', () => {
  test('a restore replaces the database, keeps the former one, and says what to do next', async () => {
    await setCanary('then');
    await site.run('backup', site.path('a.db'));
    await setCanary('now');
    const { exitCode, stdout, stderr } = await site.run('restore', site.path('a.db'));
    expect([exitCode, canaryIn(database)]).toEqual([0, 'then']);
    const kept = /^the database that was there is kept in (.+)$/m.exec(stdout)?.[1] ?? '';
    expect([canaryIn(kept), statSync(kept).mode & 0o777]).toEqual(['now', 0o600]);
    expect(stderr).toContain('Next: "stockbridge plan"');
    expect(statSync(database).mode & 0o777).toBe(0o600);
    expect((await site.run('jobs', 'list')).exitCode).toBe(0);
    expect(readFileSync(site.path('a.db')).length).toBeGreaterThan(0);
  });

  test('a restore works without a database', async () => {
    await setCanary('then');
    await site.run('backup', site.path('a.db'));
    const elsewhere = installation();
    expect(await elsewhere.json('restore', site.path('a.db'))).toMatchObject({ kept: null });
    expect(canaryIn(join(elsewhere.dir, 'stockbridge.db'))).toBe('then');
  });

  test('a restore replaces an unreadable database; a leftover log is not applied to it', async () => {
    await setCanary('then');
    await site.run('backup', site.path('a.db'));
    // A killed daemon leaves its log behind.
    const { store } = await site.open();
    await store.facts.set('main', 'canary', 'in the log');
    for (const beside of ['-wal', '-shm']) copyFileSync(`${database}${beside}`, site.path(`left${beside}`));
    const broken = installation();
    await broken.run('migrate');
    const path = join(broken.dir, 'stockbridge.db');
    writeFileSync(path, 'no database any more');
    for (const beside of ['-wal', '-shm']) copyFileSync(site.path(`left${beside}`), `${path}${beside}`);
    const { kept } = (await broken.json('restore', site.path('a.db'))) as { kept: string };
    expect(canaryIn(path)).toBe('then');
    expect(readFileSync(kept, 'utf8')).toBe('no database any more');
    expect(existsSync(`${kept}-wal`)).toBe(true);
  });

  test('a restore does not wait for a daemon or another verb on the data: it exits 75', async () => {
    await setCanary('then');
    await site.run('backup', site.path('a.db'));
    const daemon = tryLock(site.dir, 'receive');
    const refused = await site.run('restore', site.path('a.db'));
    daemon?.release();
    expect([refused.exitCode, refused.stderr]).toEqual([75, expect.stringContaining('stop it, then try again')]);
    const { close } = await site.open();
    const open = await site.run('restore', site.path('a.db'));
    expect([open.exitCode, open.stderr]).toEqual([75, expect.stringContaining('has')]);
    close();
    expect((await site.run('restore', site.path('a.db'))).exitCode).toBe(0);
  });

  test('a restore refuses an invalid database, and changes nothing', async () => {
    await setCanary('now');
    const refuse = async (name: string, message: string) => {
      const { exitCode, stdout, stderr } = await site.run('restore', site.path(name));
      expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
      expect(canaryIn(database)).toBe('now');
      expect(readdirSync(site.dir).filter((file) => file.includes('before-restore'))).toEqual([]);
    };
    await refuse('none.db', 'does not exist');
    writeFileSync(site.path('text.db'), 'some text that is longer than a header of a database'.repeat(10));
    await refuse('text.db', 'cannot be read as a database (file is not a database): nothing was changed');
    const foreign = new SqliteDatabase(site.path('foreign.db'));
    foreign.exec('create table notes (text)');
    foreign.close();
    await refuse('foreign.db', 'is not a database of stockbridge');
    await site.run('backup', site.path('newer.db'));
    const newer = new SqliteDatabase(site.path('newer.db'));
    newer.exec("insert into __drizzle_migrations (hash, created_at) values ('of a version to come', 1)");
    newer.close();
    await refuse('newer.db', 'was written by a newer version of stockbridge');
    await refuse('data/stockbridge.db', 'is the database in use');
  });

  test.each([
    ['alter table orders drop column raw', 'table orders lacks its column raw'],
    ['drop table mappings', 'table mappings is missing'],
    ['drop index mappings_by_erp', 'index mappings_by_erp is missing'],
    ['drop trigger audit_refuses_delete', 'trigger audit_refuses_delete is missing'],
    ['create trigger spy after insert on audit begin select 1; end', 'trigger spy was added'],
  ])('a restore refuses a backup with another schema: %s', async (sql, difference) => {
    await setCanary('now');
    await site.run('backup', site.path('wrong.db'));
    const wrong = new SqliteDatabase(site.path('wrong.db'));
    wrong.exec(sql);
    wrong.close();
    const { exitCode, stderr } = await site.run('restore', site.path('wrong.db'));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`has a wrong schema (${difference}`)]);
    expect(stderr).toContain('nothing was changed');
    expect(canaryIn(database)).toBe('now');
    expect(readdirSync(site.dir).filter((file) => file.includes('before-restore'))).toEqual([]);
  });

  test('a restore refuses a backup with internal damage', async () => {
    await damage();
    copyFileSync(database, site.path('damaged.db'));
    const { exitCode, stderr } = await site.run('restore', site.path('damaged.db'));
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/damaged\.db is damaged \(.+\): nothing was changed/),
    ]);
  });
});

test('everything that happened since a restored backup is found again, and nothing is created twice', async () => {
  const stage = await openStage();
  const { marketplace, erp, configFile, dir } = stage;
  const verb = (...args: string[]) => run([...args, '--config', configFile]);
  erp.control.seed(2);
  await stage.sync();
  await verb('backup', join(dir, 'early.db'));
  erp.control.addProducts([{ sku: 'NEW-1', name: 'New', price: { amount: '5.00', currency: 'USD' }, on_hand: '9' }]);
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id } = marketplace.productBySku('SB-0001');
  const { number } = marketplace.placeOrder({ customer: buyer, items: [{ product: id, quantity: '2' }] });
  expect(await stage.sync()).toMatchObject({ pending: 0, held: 0, failed: 0 });
  await stage.stop();

  expect((await verb('restore', join(dir, 'early.db'))).exitCode).toBe(0);
  expect(await stage.sync()).toMatchObject({ pending: 0, held: 0, failed: 0 });
  expect(erp.control.findOrders(number)).toHaveLength(1);
  expect(erp.control.state().customers).toHaveLength(1);
  expect(
    marketplace
      .products()
      .map(({ sku }) => sku)
      .toSorted(),
  ).toEqual(['NEW-1', 'SB-0001', 'SB-0002']);
});
