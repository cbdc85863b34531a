import { type Command, InvalidArgumentError } from 'commander';
import { openSides, type Sides } from '../demo/sides.ts';
import { tellMarketplace } from '../demo/tell-marketplace.ts';
import { startBuyers } from '../sandbox/marketplace/buyers.ts';
import { createTell } from './demo-screen.ts';
import { wholeNumber } from './options.ts';
import { type Cli, print, printLines } from './output.ts';
import { type Deployment, deploymentOf } from './sandbox-deployment.ts';
import { addFault, listFaults, type SandboxFaults } from './sandbox-faults.ts';
import { stopOnSignals } from './signals.ts';
import { table } from './table.ts';

interface SandboxOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly erpPort: number;
  readonly ordersPerMinute: number;
  readonly fault?: SandboxFaults;
  readonly seed: number;
  readonly products: number;
  readonly limits: boolean;
  readonly webhook?: string;
  readonly deployment?: Deployment;
}

const NONE: Deployment = { settings: {}, webhooks: {} };
const MAX_PORT = 65_535;
const MAX_PRODUCTS = 100_000;
const WEBHOOK_SECRET = 'sandbox-webhook-secret';

export const help = `
A fault is NAME, NAME=VALUE or NAME@operation, and more settings after commas: times, after, chance (marketplace) or
method, path, after, times (ERP). Without times it strikes until it is cleared by a control call.
${listFaults()}

Examples:
  stockbridge sandbox --port 8100 --erp-port 8200 --orders-per-minute 20
  stockbridge sandbox --webhook http://127.0.0.1:8080/webhooks/main
  stockbridge sandbox --fault delay-after=300,chance=0.2 --fault reset-after@orders.patch,times=3
  stockbridge sandbox --fault lose-answer=1,method=POST,path=/v1/orders`;

/** `sandbox`: a simulated marketplace and ERP, without the daemon. */
export function define(command: Command, cli: Cli): void {
  const port = wholeNumber(0, MAX_PORT);
  command
    .option('--port <number>', 'where the marketplace listens; 0 is a free port', port, 0)
    .option('--control-port <number>', 'where its control calls listen', port, 0)
    .option('--erp-port <number>', 'where the ERP listens', port, 0)
    .option('--orders-per-minute <number>', 'how many orders buyers place by themselves', wholeNumber(0, 6_000), 0)
    .option('--fault <fault>', 'something that goes wrong, see below; may be given several times', addFault)
    .option('--seed <number>', 'the same seed makes the same data and the same choices', wholeNumber(0, 2 ** 31), 1)
    .option('--products <number>', 'how many products the brand has', wholeNumber(0, MAX_PRODUCTS), 24)
    .option('--deployment <preset>', 'play the deployments of a preset: a shipped one, or a file', deploymentOf)
    .option('--no-limits', 'the marketplace takes any number of calls')
    .option('--webhook <url>', 'send signed webhooks to URL/orders and URL/products', webhookUrl)
    .action((options: SandboxOptions) => runSandbox(options, cli));
}

async function runSandbox(options: SandboxOptions, cli: Cli): Promise<void> {
  const { told, off } = stopOnSignals();
  try {
    const { deployment = NONE } = options;
    const sides = await openSides({ ...options, settings: deployment.settings });
    const { marketplace, erp } = sides;
    for (const fault of options.fault?.marketplace ?? []) marketplace.faults.set(fault);
    for (const fault of options.fault?.erp ?? []) erp.control.inject(fault);
    if (options.webhook !== undefined) {
      marketplace.webhooks.setTargets(targetsOf(options.webhook, deployment.webhooks));
    }
    printSides(cli, sides, options.webhook ?? null);
    tellMarketplace(marketplace, createTell(cli), 'the API');
    const { ordersPerMinute, seed } = options;
    const buyers = ordersPerMinute === 0 ? null : startBuyers(marketplace, { ordersPerMinute, seed });
    await told;
    await buyers?.stop();
    await sides.close();
    print(cli, 'Ended. Nothing is kept.');
  } finally {
    off();
  }
}

function webhookUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:8080/webhooks/main.');
  }
  return text.replace(/\/+$/, '');
}

function targetsOf(base: string, webhooks: Deployment['webhooks']) {
  const signed = { ...webhooks, secret: WEBHOOK_SECRET };
  return [
    { url: `${base}/orders`, types: ['order'] as const, ...signed },
    { url: `${base}/products`, types: ['product'] as const, ...signed },
  ];
}

interface Ordering extends Pick<Sides, 'marketplace' | 'erp'> {
  readonly first: ReturnType<Sides['marketplace']['products']>[number];
  readonly buyer: number | undefined;
}

function callsOf({ marketplace, erp, first: { id, sku, unitMultiplier }, buyer }: Ordering): string[] {
  const order = JSON.stringify({ customer: buyer, items: [{ product: id, quantity: unitMultiplier }] });
  const line = { sku, quantity: unitMultiplier, unit_price: '1.00' };
  const own = JSON.stringify({ customer: { marketplace_id: buyer }, lines: [line] });
  return [
    `'${marketplace.controlUrl}/orders' -d '${order}'`,
    `'${erp.url}/_control/create-order' -H 'Content-Type: application/json' -d '${own}'`,
  ];
}

/** Without products, the first example call creates one. */
function callsOfNothing({ controlUrl }: Sides['marketplace']): string[] {
  const product = { sku: 'A-1', name: 'A', wholesale_price: { amount: '2.50', currency: 'USD' }, quantity: '10' };
  return [`'${controlUrl}/products' -d '${JSON.stringify(product)}'`];
}

function printSides(cli: Cli, { marketplace, erp, erpToken }: Sides, webhook: string | null): void {
  const { sellerId } = marketplace.settings();
  const [first] = marketplace.products();
  const [buyer] = marketplace.customers();
  const rows = [
    ['marketplace', `${marketplace.url}/api/v2/`],
    ['  key', marketplace.key],
    ['  seller', String(sellerId)],
    ['  control', `${marketplace.controlUrl}/`],
    ['ERP', `${erp.url}/v1/`],
    ['  token', erpToken],
    ['  control', `${erp.url}/_control/`],
    ...(webhook === null ? [] : [['webhooks', `${webhook}/orders and /products, secret ${WEBHOOK_SECRET}`]]),
  ];
  printLines(cli, 'A made-up marketplace and ERP of one brand. They run until Ctrl-C.\n');
  printLines(cli, table(rows));
  const calls =
    first === undefined ? callsOfNothing(marketplace) : callsOf({ marketplace, erp, first, buyer: buyer?.id });
  printLines(
    cli,
    `
Look at both, let a buyer order, take an order in the ERP:
  curl -H 'Authorization: App ${marketplace.key}' '${marketplace.url}/api/v2/products/?page_size=2'
  curl -H 'Authorization: Bearer ${erpToken}' '${erp.url}/v1/stock?limit=3'
${calls.map((call) => `  curl ${call}`).join('\n')}

For an account in a configuration:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: ${sellerId}${webhook === null ? '' : `\n      webhooks: { secret: ${WEBHOOK_SECRET} }`}
    erp: { type: http, url: "${erp.url}", token: ${erpToken} }
    brakes: { create: { count: 100000, percent: 100 } } # all at once: on a real catalogue, leave it out
`,
  );
}
