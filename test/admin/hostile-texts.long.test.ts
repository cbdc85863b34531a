import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { setAlert } from '../../src/shadow/alerts.ts';
import { openScreen, TOKENS, at } from '../support/screen.ts';
import { type Stage, until } from '../support/stage.ts';
import { onMarketplace } from '../support/marketplace-people.ts';

const ACCOUNT = `
    customers: { to_marketplace: true, to_erp: true, poll: 100ms }
    payments: { to_marketplace: true, to_erp: true, types: { Bank transfer: wire } }
    brakes: { create: { count: 100, percent: 1000 }, zero: { count: 0, percent: 0 } }`;

async function open(): Promise<Stage> {
  const stage = await openScreen({ account: ACCOUNT });
  const { erp, marketplace } = stage;
  erp.control.seed(4);
  erp.control.addCustomer({ name: 'Ann', email: 'a@b.test', phone: '1', license_number: 'L-1', active: true, addresses: { delivery: { address: '1 Elm', city: 'Reno', state: 'NV', zipcode: '9' } } });
  await stage.start();
  await onMarketplace(stage, 'POST', '/customers/', { owner_id: 4711, name: 'West', license_number: 'L-2' });
  const customer = marketplace.addCustomer({ name: 'Corner', state: 'NV' });
  await stage.sync();
  const listing = marketplace.productBySku('SB-0001');
  marketplace.placeOrder({ customer, items: [{ product: listing.id, quantity: '1' }] });
  erp.control.setStock('SB-0003', '0');
  await stage.sync();
  return stage;
}

test('x', async () => {
  const stage = await open();
  await stage.stop();
  const db = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'));
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\'").pluck().all() as string[];
  for (const table of tables) {
    const cols = db.prepare(`select name, type from pragma_table_info('${table}')`).all() as {name: string; type: string}[];
    const n = db.prepare(`select count(*) from "${table}"`).pluck().get();
    const text = cols.filter(({type}) => ['text','blob'].includes(type.toLowerCase()));
    const row = db.prepare(`select ${text.map(({name}) => `max("${name}") as "${name}"`).join(', ') || '1'} from "${table}"`).get();
    console.log(table, n, JSON.stringify(row)?.slice(0, 1500));
  }
  void [cause, setAlert, TOKENS, at, until];
});
