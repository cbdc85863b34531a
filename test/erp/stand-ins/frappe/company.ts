import { CONTROLLERS, deliver, updateStatus } from './deeds.ts';
import { insert, update } from './documents.ts';
import { binOf } from './sales-order.ts';
import { type Frappe, startFrappe, USER } from './server.ts';
import { all, type Doc, num, rows, type Site, stamp, text, ZONE } from './site.ts';

/** The beginning of the purchase number of an order that the bridge has made. */
const PREFIX = 'stockbridge ';

/** People at the forms of ERPNext. */
export function peopleOf({ does }: Frappe) {
  const live = (site: Site, reference: string) => {
    const found = all(site, 'Sales Order').filter(
      (one) => one['po_no'] === `${PREFIX}${reference}` && one['docstatus'] === 1,
    );
    if (found.length !== 1) throw new Error(`there are ${found.length} submitted orders of ${reference}`);
    return found[0] as Doc;
  };
  const ship = (reference: string, units: number) =>
    does((site, at) => deliver(site, live(site, reference), () => units, at));
  return {
    ship: (reference: string) => ship(reference, 1_000),
    shipPart: (reference: string) => ship(reference, 1),
    /** Ships what is there, and closes the order. */
    shipShort: async (reference: string) => {
      await ship(reference, 2);
      await does((site, at) => updateStatus(site, text(live(site, reference), 'name'), 'Closed', at));
    },
    cancel: (reference: string) =>
      does(
        (site, at) =>
          void update(site, CONTROLLERS, 'Sales Order', text(live(site, reference), 'name'), { docstatus: 2 }, at),
      ),
  };
}

export interface Seed {
  readonly prices: readonly number[];
  /** Items that are counted in kilograms; others are counted in pieces. */
  readonly kilograms?: readonly string[];
  /** Further items, which nobody sells. */
  readonly more?: readonly string[];
  readonly roles?: readonly string[];
  /** Orders that people made three days ago. */
  readonly oldOrders?: number;
}

/** A company with products, a price list, a warehouse with 1,000 units of each product, and a customer. */
export async function startCompany(seed: Seed): Promise<Frappe> {
  const { prices, kilograms = [], more = [], roles } = seed;
  const settings = { company: 'Handel', currency: 'USD', priceList: 'Standard Selling', warehouse: 'Stores - H' };
  const rules = { repeatedPurchaseOrders: false, pricingRules: { 'PART-0001': 10 } };
  const site: Site = {
    state: { docs: new Map(), series: new Map() },
    settings: { ...settings, ...rules, roles: roles ?? ['Sales Manager', 'Stock User', 'Item Manager'] },
  };
  const frappe = await startFrappe(site);
  await frappe.does((_site, at) => {
    const make = (doctype: string, doc: Doc) => insert(site, CONTROLLERS, doctype, doc, at);
    make('Currency', { currency_name: 'USD', enabled: 1 });
    make('UOM', { uom_name: 'Nos', must_be_whole_number: 1 });
    make('UOM', { uom_name: 'Kg' });
    make('Company', { company_name: settings.company, default_currency: 'USD' });
    make('Warehouse', { warehouse_name: settings.warehouse, company: settings.company });
    make('Price List', { price_list_name: settings.priceList, currency: 'USD', selling: 1, enabled: 1 });
    for (const account of ACCOUNTS) make('Account', { account_name: account, company: settings.company });
    make('Customer', { customer_name: 'The marketplace', customer_type: 'Company' });
    const codes = [...prices.keys()].map((index) => `PART-${String(index + 1).padStart(4, '0')}`);
    for (const [index, code] of [...codes, ...more].entries()) {
      const unit = kilograms.includes(code) ? 'Kg' : 'Nos';
      make('Item', { item_code: code, item_name: `${code} äöü ✓`, item_group: 'Products', stock_uom: unit });
      const price = { item_code: code, price_list_rate: prices[index] ?? 1, uom: unit };
      make('Item Price', { ...price, price_list: settings.priceList, currency: 'USD', selling: 1 });
      stock(site, code, at);
    }
    const old = new Date(at.getTime() - 3 * 86_400_000);
    const line = { item_code: codes[0], qty: 1, rate: 1 };
    const order = { customer: 'The marketplace', delivery_date: stamp(at).slice(0, 10), items: [line], docstatus: 1 };
    for (const _ of Array(seed.oldOrders ?? 0)) insert(site, CONTROLLERS, 'Sales Order', order, old);
  });
  return frappe;
}

const ACCOUNTS = ['Freight - H', 'Sales Tax - H'];

function stock(site: Site, code: string, at: Date): void {
  const bin = binOf(site, code, site.settings.warehouse, at);
  Object.assign(bin, { actual_qty: 1_000, projected_qty: 1_000 });
}

/** The whole state, for the comparison of both sides: the books themselves, not an answer of the API. */
export function booksOf(site: Site) {
  const priceOf = (code: unknown) =>
    all(site, 'Item Price').find((one) => one['item_code'] === code)?.['price_list_rate'];
  const bins = new Map(
    all(site, 'Bin').map((bin) => [bin['item_code'], num(bin, 'actual_qty').minus(num(bin, 'reserved_qty'))]),
  );
  return {
    products: all(site, 'Item').map((item) => ({
      id: text(item, 'name'),
      sku: text(item, 'item_code'),
      name: text(item, 'item_name'),
      active: true,
      deleted: false,
      unit_multiplier: '1',
      price: { amount: String(priceOf(item['name'])) },
    })),
    orders: all(site, 'Sales Order').map((order) => {
      const cancelled = order['docstatus'] === 2;
      const over = order['status'] === 'Closed' || num(order, 'per_delivered').eq(100);
      return {
        id: text(order, 'name'),
        reference: text(order, 'po_no').replace(PREFIX, ''),
        origin: 'marketplace',
        status: cancelled ? 'cancelled' : order['docstatus'] === 0 ? 'draft' : over ? 'shipped' : 'reserved',
        lines: rows(order).map((line) => ({
          sku: text(line, 'item_code'),
          quantity: text(line, 'qty'),
          given_up: '0',
        })),
      };
    }),
    stockOf: (sku: string) => ({ available: bins.get(sku)?.toFixed() ?? '0' }),
  };
}

/** The section `erp` of an account that is connected to this company. */
export function sectionOf({ url, site }: Frappe, more: object = {}) {
  const { currency, priceList, warehouse } = site.settings;
  const [shipping, tax] = ACCOUNTS;
  const booked = { shipping_account: shipping, tax_account: tax };
  const settings = { currency, price_list: priceList, warehouse, customer: 'The marketplace', zone: ZONE, ...booked };
  const auth = { scheme: 'header', key: `${USER.key}:${USER.secret}` };
  // The longest transaction of this stand-in. A real site is given a minute.
  const capabilities = { longest_transaction: '1s' };
  return { type: 'rest', extends: 'erpnext', capabilities, url, auth, settings, timeout: '2s', ...more };
}
