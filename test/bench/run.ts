/**
 * `npm run bench [-- NAME ...]`: measures, and prints each figure with its target or another figure to compare. Without names,
 * all benches run one after the other, because they would take the machine from each other. A missed target is no failure: the
 * figures depend on the machine as much as on the program. With `BENCH_BESIDE=/another/checkout` the benches of orders,
 * quotas, kills and starts also measure the daemon of that checkout, in turns with this one. With `BENCH_MINUTES=10` the bench
 * of a backlog measures ten minutes instead of three.
 */
import { accounts, daemons } from './accounts.ts';
import { apiAll } from './api-all.ts';
import { backlog } from './backlog.ts';
import { exportCalls } from './export-calls.ts';
import { facilities } from './facilities.ts';
import { governor } from './governor.ts';
import { idleCalls } from './idle-calls.ts';
import { kill } from './kill.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { orders } from './orders.ts';
import { plan } from './plan.ts';
import { quotaBatch } from './quota-batch.ts';
import { quotaOrders } from './quota-orders.ts';
import { screen } from './screen.ts';
import { start } from './start.ts';
import { storeCalls } from './store-calls.ts';
import { type Figure, show } from './support/figure.ts';
import { webhookAnswers } from './webhook-answers.ts';
import { webhookCalls } from './webhook-calls.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  start,
  orders,
  kill,
  'quota-orders': quotaOrders,
  'quota-batch': quotaBatch,
  backlog,
  latency,
  'webhook-answers': webhookAnswers,
  'export-calls': exportCalls,
  'webhook-calls': webhookCalls,
  facilities,
  'idle-calls': idleCalls,
  governor,
  memory,
  plan,
  screen,
  'store-calls': storeCalls,
  'api-all': apiAll,
  daemons,
  accounts,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`there is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(64);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stdout.write(`== ${name}\n`);
  const startedMs = performance.now();
  for (const figure of await bench()) process.stdout.write(show(figure));
  process.stdout.write(`    (${Math.round((performance.now() - startedMs) / 1_000)} s)\n`);
}
