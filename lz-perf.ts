import { startPostgres } from '/work/wt/lease/test/support/databases.ts';
import { openConnection } from '/work/wt/lease/src/store/postgres/connection.ts';
import { connected } from '/work/wt/lease/src/store/postgres/database.ts';
import { migrate } from '/work/wt/lease/src/store/postgres/migrations.ts';
import { createStore } from '/work/wt/lease/src/store/sql/store.ts';
import { observeReads } from '/work/wt/lease/src/store/sql/observe.ts';
import { foreteller } from '/work/wt/lease/src/store/postgres/foretell.ts';
import { FORETOLD } from '/work/wt/lease/src/store/postgres/foretold/foretold.ts';
const server = await startPostgres();
const connection = openConnection(server.url);
connection.reconnect();
migrate(connection, true);
const cols = async (t: string) => (await server.admin(`select column_name n, data_type t, is_nullable u from information_schema.columns where table_schema='public' and table_name='${t}' order by ordinal_position`)) as {n:string,t:string,u:string}[];
async function fill(table: string, given: Record<string,string>, from: string) {
  const all = await cols(table);
  const use = all.filter(c => given[c.n] !== undefined || c.u === 'NO');
  const vals = use.map(c => given[c.n] ?? (c.t === 'text' ? "'0'" : c.t==='boolean' ? 'false' : '0'));
  await server.admin(`insert into ${table} (${use.map(c=>`"${c.n}"`).join(',')}) select ${vals.join(',')} from ${from}`);
}
const ORDERS=50000, PRODUCTS=20000;
const main="'main'";
await server.admin('alter table orders set (autovacuum_enabled=false)');
for (const t of ['orders','order_lines','products','erp_products','erp_orders','mappings','customers','erp_customers','erp_stock','payments','erp_payments']) await server.admin(`alter table ${t} set (autovacuum_enabled=false)`);
await fill('orders',{account:main,number:"'o-'||i",status:"'Accepted'",customer_id:'i%3000',raw:"'{}'",modified:"'2026-01-01'"},`generate_series(1,${ORDERS}) i`);
// product 1 is in every second order
await fill('order_lines',{account:main,number:"'o-'||i",line_id:'l',product_id:`case when l=1 and i%2=0 then 1 else 1+(i*3+l)%${PRODUCTS} end`,quantity:"'2'",price_amount:"'1.00'",currency:"'USD'"},`generate_series(1,${ORDERS}) i, generate_series(1,3) l`);
await fill('products',{account:main,id:'i',sku:"'S-'||i",raw:"'{}'",name:"'n'||i"},`generate_series(1,${PRODUCTS}) i`);
await fill('erp_products',{account:main,id:"'P-'||i",sku:"'S-'||i"},`generate_series(1,${PRODUCTS}) i`);
await fill('erp_stock',{account:main,product_id:"'P-'||i",location:"'E'||l"},`generate_series(1,${PRODUCTS}) i, generate_series(1,2) l`).catch(e=>console.log('stock',e.message));
const content = `'{"customer":{"id":"C-'||(i%3000)||'"},"lines":[{"sku":"S-'||(1+(i*3+1)%${PRODUCTS})||'","quantity":"2","unitPrice":"1.00"},{"sku":"S-'||(1+(i*3+2)%${PRODUCTS})||'","quantity":"2","unitPrice":"1"},{"sku":"S-'||(1+(i*3+3)%${PRODUCTS})||'","quantity":"1","unitPrice":"1"}],"discount":"0","shipping":"0","tax":"0","total":"5","attributesText":null}'`;
await fill('erp_orders',{account:main,id:"'E-'||i",origin:"'marketplace'",reference:"'o-'||i",status:"'open'",content},`generate_series(1,${ORDERS}) i`);
await fill('customers',{account:main,id:'i',license_key:"'L'||i",email_key:"'e'||i",content:"'{}'"},`generate_series(0,2999) i`);
await fill('erp_customers',{account:main,id:"'C-'||i",license_key:"'L'||i",email_key:"'e'||i"},`generate_series(0,2999) i`).catch(e=>console.log('erpc',e.message));
await fill('mappings',{account:main,id:'i',kind:"'product'",marketplace_id:"i::text",erp_id:"'P-'||i",state:"'linked'",how:"'operator'"},`generate_series(1,${PRODUCTS}) i`);
await fill('mappings',{account:main,id:'100000+i',kind:"'order'",marketplace_id:"'o-'||i",erp_id:"'E-'||i",state:"'linked'",how:"'operator'"},`generate_series(1,${ORDERS/2}) i`);
console.log('filled', new Date().toISOString());
const { db } = connected(connection);
const there = createStore(db, () => 1e6);
// without foretelling: drop `reading`
const plainDb = Object.assign(Object.create(db), { snapshot: (read: any) => db.snapshot(read) });
const plain = createStore(plainDb, () => 1e6);
const CALLS: [string, (s: any) => Promise<unknown>][] = [
  ['orderIn linked', s => s.observe.orderIn('main','o-777',[])],
  ['orderIn unlinked', s => s.observe.orderIn('main','o-40777',[])],
  ['orderOut', s => s.observe.orderOut('main','E-777')],
  ['transportIn', s => s.observe.transportIn('main','o-777',[])],
  ['product', s => s.observe.product('main','P-777',[])],
  ['images', s => s.observe.images('main','P-777')],
  ['customerIn', s => s.observe.customerIn('main',77,[])],
  ['customerOut', s => s.observe.customerOut('main','C-77',[])],
  ['stock', s => s.observe.stock('main','P-777')],
  ['facilityStock', s => s.observe.facilityStock('main','P-777')],
  ['paymentIn', s => s.observe.paymentIn('main','x')],
  ['stock in 25000 orders', s => s.observe.stock('main','P-1')],
];
async function time(label: string) {
  for (const [name, call] of CALLS) {
    const big = name.includes('25000');
    const one = async (s: any) => { const t: number[] = []; for (let n=0;n<(big?2:14);n++){ const at=performance.now(); try { await call(s);} catch(e:any){ return name+': '+e.message.slice(0,100);} t.push(performance.now()-at);} return `first ${t[0]!.toFixed(1)} 7th ${(t[6]??t[1])!.toFixed(1)} last ${t.at(-1)!.toFixed(1)}`; };
    console.log(label, name, '| foretold', await one(there), '| plain', big && label==='before' && process.argv[2]!=='all' ? 'skipped' : await one(plain));
  }
}
const costs = async () => {
  const f = foreteller();
  const args: any = { orderIn:['main','o-777',[]], orderOut:['main','E-777'], stock:['main','P-777'], facilityStock:['main','P-777'], customerIn:['main',77,[]], customerOut:['main','C-77',[]], product:['main','P-777',[]], paymentOut:['main','P',[]], paymentIn:['main','x'], transportIn:['main','o',[]] };
  for (const [n,a] of Object.entries(args) as any) {
    const t = f(ask => (FORETOLD.get((observeReads as any)[n]) as any)(ask, ...a))!;
    const plan = connection.query('explain (format json) '+t.text, t.values, false).rows[0]![0];
    const p = JSON.parse(String(plan))[0];
    console.log('cost', n, p.Plan['Total Cost'], 'jit' in p || JSON.stringify(p).includes('JIT') ? 'JIT '+JSON.stringify(p.JIT) : '', 'len', t.text.length);
  }
};
console.log('jit', await server.admin('select pg_jit_available() a, version() v'));
await costs();
await time('before');
await server.admin('analyze');
connection.reconnect();
await costs();
await time('after');
connection.close();
await server.stop();
