import { invoice, invoicedWhole, linesOfInvoice } from './invoices.ts';
import type { Row } from './odata.ts';
import { type Business, createOrder, deleteOrder, giveUpRest, linesOf, make, ship, touch } from './sales.ts';
import { type Central, CLIENT, SCOPE, startCentral } from './server.ts';

const PREFIX = 'SB-';
const SHIPPING = '40200';

/** A company with products, 1,000 units of each, accounts and a customer. */
export async function startCompany(prices: readonly number[], pageSize?: number, oldOrders = false): Promise<Central> {
  const state = {
    companies: [],
    customers: [],
    accounts: [],
    items: [],
    salesOrders: [],
    salesOrderLines: [],
    salesInvoices: [],
    salesInvoiceLines: [],
    deleted: [],
  };
  const business: Business = { state: { ...state, numbers: 101_000, tags: 0 } };
  const at = new Date();
  make(business, 'companies', { name: 'CRONUS', displayName: 'CRONUS USA, Inc.' }, at);
  make(business, 'customers', { number: 'MARKET', displayName: 'The marketplace' }, at);
  make(business, 'accounts', { number: SHIPPING, displayName: 'Shipping' }, at);
  for (const [index, price] of prices.entries()) {
    const number = `PART-${String(index + 1).padStart(4, '0')}`;
    const known = { number, displayName: `${number} äöü ✓`, type: 'Inventory', baseUnitOfMeasureCode: 'PCS' };
    make(business, 'items', { ...known, inventory: 1_000, unitPrice: price }, at);
  }
  // Three days old: a product and an order that nobody has touched since.
  const old = new Date(at.getTime() - 3 * 86_400_000);
  for (const item of business.state.items.slice(-1)) touch(business, item, old);
  const line = { lineType: 'Item', lineObjectNumber: 'PART-0001', quantity: 1 };
  if (oldOrders) createOrder(business, { customerNumber: 'MARKET', salesOrderLines: [line] }, old);
  make(business, 'items', { number: 'REPAIR', displayName: 'Repair', type: 'Service', unitPrice: 10 }, at);
  return startCentral(business, pageSize);
}

/** The section `erp` of an account that is connected to this company. */
export function sectionOf(central: Central, more: object = {}) {
  const { tenant, environment } = central.environment;
  const { id: client_id, secret: client_secret } = CLIENT;
  const customer = central.business.state.customers[0]?.['id'];
  return {
    type: 'rest',
    extends: 'business-central',
    url: `${central.url}/v2.0/${tenant}/${environment}/api/v2.0`,
    auth: { scheme: 'oauth2', token_url: central.tokenUrl, client_id, client_secret },
    settings: { company: central.company, currency: 'USD', customer, shipping_account: SHIPPING },
    limits: { per_minute: 60_000, concurrent: 4 },
    // The longest transaction of this stand-in. A real company is given a minute.
    capabilities: { longest_transaction: '1s' },
    timeout: '2s',
    ...more,
  };
}

/** A token, as the token server gives one. */
export async function tokenOf({ tokenUrl }: Central): Promise<string> {
  const { id: client_id, secret: client_secret } = CLIENT;
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: SCOPE };
  const answer = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function orderOf({ state }: Business, reference: string): Row {
  const short = reference.replaceAll('-', '').toUpperCase();
  const found = state.salesOrders.filter((order) => order['externalDocumentNumber'] === `${PREFIX}${short}`);
  if (found.length !== 1) throw new Error(`there are ${found.length} orders of ${reference}`);
  return found[0] as Row;
}

/** People at the pages of Business Central. */
export function peopleOf({ does }: Central) {
  const shipped = (reference: string, units: number) =>
    does((business, at) => ship(business, orderOf(business, reference), () => units, at));
  const invoiced = (reference: string) => does((business, at) => invoice(business, orderOf(business, reference), at));
  return {
    /** Ships the order, and invoices it whole at once: then it is deleted. */
    ship: async (reference: string) => {
      await shipped(reference, 1_000);
      await invoiced(reference);
    },
    shipPart: async (reference: string) => {
      await shipped(reference, 1);
      await invoiced(reference);
    },
    shipShort: async (reference: string) => {
      await shipped(reference, 2);
      await does((business, at) => giveUpRest(business, orderOf(business, reference), at));
    },
    cancel: (reference: string) => does((business) => deleteOrder(business, orderOf(business, reference))),
  };
}

/** The number of the marketplace, a UUID, of an order that carries it as 32 capitals and digits. */
function numberOf({ externalDocumentNumber: kept }: Row): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(String(kept).replace(PREFIX, ''));
  return (parts ?? []).slice(1).join('-').toLowerCase();
}

function shownAs(of: Row, number: unknown, status: string, lines: readonly Row[]) {
  const goods = lines.filter(({ lineType }) => lineType === 'Item');
  return {
    id: String(number),
    reference: numberOf(of),
    origin: 'marketplace',
    status,
    lines: goods.map((line) => ({
      sku: String(line['lineObjectNumber']),
      quantity: String(line['quantity']),
      given_up: '0',
    })),
  };
}

/** One line for each line of the order. */
function summed(lines: readonly Row[]): Row[] {
  return [...Map.groupBy(lines, ({ sequence }) => sequence).values()].map((parts) => ({
    ...parts[0],
    quantity: parts.reduce((sum, { quantity }) => sum + Number(quantity), 0),
  }));
}

/** The books themselves, for the comparison of both sides. */
export function booksOf(business: Business) {
  const { items, salesOrders, deleted } = business.state;
  const taken = (sku: unknown) =>
    salesOrders
      .flatMap((order) => linesOf(business, order))
      .filter((line) => line['lineObjectNumber'] === sku)
      .reduce((sum, line) => sum + Number(line['quantity']) - Number(line['shippedQuantity']), 0);
  const goods = items.filter(({ type }) => type === 'Inventory');
  return {
    products: goods.map((item) => ({
      id: String(item['id']),
      sku: String(item['number']),
      name: String(item['displayName']),
      active: true,
      deleted: false,
      unit_multiplier: '1',
      price: { amount: String(item['unitPrice']) },
    })),
    orders: [
      ...[...salesOrders, ...deleted].map((order) => {
        const gone = deleted.includes(order);
        const status = gone ? 'cancelled' : order['fullyShipped'] === true ? 'shipped' : 'reserved';
        return shownAs(order, order['number'], status, linesOf(business, order));
      }),
      ...invoicedWhole(business).map((invoices) => {
        const [first = {}] = invoices;
        const lines = invoices.flatMap((one) => linesOfInvoice(business, one));
        return shownAs(first, first['orderNumber'], 'shipped', summed(lines));
      }),
    ],
    stockOf: (sku: string) => {
      const item = goods.find(({ number }) => number === sku);
      return { available: String(Number(item?.['inventory']) - Number(taken(sku))) };
    },
  };
}
