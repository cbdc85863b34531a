import { constants, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Account, closeRest, committed, fulfill, type Item, type Order, statusOf } from './account.ts';
import { type NetSuite, startNetSuite } from './server.ts';
import { LOCATION, ZONE } from './suiteql.ts';

const CLIENT = { id: 'client-4711', certificateId: 'certificate-4711' };
const PREFIX = 'stockbridge-';
const CUSTOMER = '110';
const SHIPPING = '20';
const DISCOUNT = '21';
const KEY_BITS = 3_072;
const DAY_MS = 86_400_000;
/** The keys of the application, for all accounts of a test file: they take long to make. */
let keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;

export interface Company extends NetSuite {
  /** The private key of the application, as PEM. */
  readonly key: string;
}

/** An account with products, 1,000 units of each, and the items for charges. `old` is the number of orders that people made. */
export async function startCompany(prices: readonly number[], old = 0): Promise<Company> {
  const at = new Date(Date.now() - 3 * DAY_MS);
  const base = { inactive: false, onHand: 0, modified: at };
  const items: Item[] = prices.map((price, index) => {
    const itemId = `PART-${String(index + 1).padStart(4, '0')}`;
    const known = { id: String(98 + index), itemId, displayName: `${itemId} äöü ✓`, price: String(price) };
    return { ...base, ...known, type: 'InvtPart', onHand: 1_000 };
  });
  items.push({ ...base, id: SHIPPING, itemId: 'SHIPPING', displayName: 'Shipping', type: 'OthCharge', price: '0' });
  items.push({ ...base, id: DISCOUNT, itemId: 'DISCOUNT', displayName: 'Discount', type: 'Discount', price: '0' });
  const customers = [{ id: CUSTOMER, entityId: 'The marketplace', companyName: 'The marketplace' }];
  const account: Account = { state: { items, customers, orders: new Map(), next: 1_000 } };
  for (const index of Array(old).keys()) addOld(account, index, at);
  keys ??= generateKeyPairSync('rsa', { modulusLength: KEY_BITS });
  const { privateKey, publicKey } = keys;
  const netsuite = await startNetSuite(account, { client: { ...CLIENT, publicKey }, concurrency: 5 });
  return { ...netsuite, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function addOld({ state }: Account, index: number, at: Date): void {
  const empty = {
    externalId: null,
    otherRefNum: null,
    memo: null,
    discountItem: null,
    discountRate: 0,
    shippingCost: 0,
  };
  const id = String(500 + index);
  const line = { line: 1, item: '98', quantity: 1, rate: 2, closed: false, fulfilled: 0, description: 'a sale' };
  const known = { id, tranId: `SO${id}`, created: at, modified: at, tranDate: at.toISOString().slice(0, 10) };
  state.orders.set(id, { ...known, ...empty, entity: CUSTOMER, currency: '1', approved: true, lines: [line] });
}

/** The section `erp` of an account that is connected to this company. */
export function sectionOf({ url, tokenUrl, key }: Company, more: object = {}) {
  const claims = { scope: ['rest_webservices'] };
  const assertion = { key, key_id: CLIENT.certificateId, algorithm: 'PS256', claims };
  const charges = { shipping_item: SHIPPING, discount_item: DISCOUNT };
  const sold = { currency: 'USD', price_level: 'Base Price', location: LOCATION };
  return {
    type: 'rest',
    extends: 'netsuite',
    url: `${url}/services/rest`,
    auth: { scheme: 'oauth2', token_url: tokenUrl, client_id: CLIENT.id, client_auth: 'assertion', assertion },
    settings: { ...sold, ...charges, customer: CUSTOMER, zone: ZONE },
    // The longest transaction of this stand-in. A real account is given a minute.
    capabilities: { longest_transaction: '1s' },
    timeout: '2s',
    ...more,
  };
}

/** A token, as the token endpoint gives one for an assertion. */
export async function tokenOf({ tokenUrl, key }: Company): Promise<string> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: CLIENT.id, scope: ['rest_webservices'], aud: tokenUrl, iat, exp: iat + 300 };
  const signed = `${part({ typ: 'JWT', alg: 'PS256', kid: CLIENT.certificateId })}.${part(claims)}`;
  const signer = createSign('sha256').update(signed);
  const signature = signer.sign({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, 'base64url');
  const form = {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature}`,
  };
  const answer = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function ofReference({ state }: Account, reference: string): Order {
  const found = [...state.orders.values()].filter(({ externalId }) => externalId === `${PREFIX}${reference}`);
  if (found.length !== 1) throw new Error(`there are ${found.length} orders of ${reference}`);
  return found[0] as Order;
}

/** People at the pages of NetSuite. */
export function peopleOf({ does }: Company) {
  const ship = (reference: string, units: number) =>
    does((account, at) => fulfill(account, ofReference(account, reference), () => units, at));
  const close = (reference: string) => does((account, at) => closeRest(ofReference(account, reference), at));
  return {
    ship: (reference: string) => ship(reference, 1_000),
    shipPart: (reference: string) => ship(reference, 1),
    shipShort: async (reference: string) => {
      await ship(reference, 2);
      await close(reference);
    },
    cancel: close,
  };
}

const SHOWN: Readonly<Record<string, string>> = {
  A: 'draft',
  B: 'reserved',
  E: 'reserved',
  F: 'shipped',
  H: 'cancelled',
};

/** The books themselves, for the comparison of both sides. */
export function booksOf(account: Account) {
  const { items, orders } = account.state;
  const goods = items.filter(({ type }) => type === 'InvtPart');
  const skuOf = (id: string) => goods.find((item) => item.id === id)?.itemId ?? '';
  return {
    products: goods.map(({ id, itemId, displayName, price }) => {
      const known = { id, sku: itemId, name: displayName, active: true, deleted: false };
      return { ...known, unit_multiplier: '1', price: { amount: price } };
    }),
    orders: [...orders.values()].map((order) => ({
      id: order.id,
      reference: (order.externalId ?? order.tranId).replace(PREFIX, ''),
      origin: 'marketplace',
      status: SHOWN[statusOf(order)] ?? '',
      lines: order.lines.map(({ item, quantity }) => ({ sku: skuOf(item), quantity: String(quantity), given_up: '0' })),
    })),
    stockOf: (sku: string) => {
      const item = goods.find(({ itemId }) => itemId === sku);
      return { available: String((item?.onHand ?? 0) - committed(account, item?.id ?? '').toNumber()) };
    },
  };
}
