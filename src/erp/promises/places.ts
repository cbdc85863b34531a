/** A path below `erp`. */
type Place = readonly string[];

const CREATE: readonly Place[] = [['writes', 'order-create'], ['orders_out']];
const UPDATE: readonly Place[] = [['writes', 'order-update'], ['orders_out']];
const BY_REFERENCE: readonly Place[] = [
  ['finds', 'orders-by-reference'],
  ['lists', 'orders'],
];

/** The parts of a description that decide each promise. Another kind of description has the second part, or none. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  ping: [['ping'], ['auth'], ['url']],
  'as-of': [['lists', 'products']],
  'stock-by-sku': [
    ['finds', 'stock-by-sku'],
    ['lists', 'stock'],
  ],
  'stock-sum': [['lists', 'stock']],
  'stock-as-of': [['lists', 'stock']],
  capabilities: [['capabilities'], ['ping']],
  'unknown-order': [['finds', 'order-by-id'], ['errors']],
  'reference-filter': BY_REFERENCE,
  'orders-found': BY_REFERENCE,
  create: CREATE,
  reference: CREATE,
  'create-twice': CREATE,
  'create-together': CREATE,
  'writes-read': [['writes'], ...CREATE],
  amounts: CREATE,
  charges: CREATE,
  draft: CREATE,
  'cut-create': CREATE,
  'edit-lines': UPDATE,
  'edit-totals': UPDATE,
  'edit-unknown': UPDATE,
  'edit-reservation': UPDATE,
  reserve: UPDATE,
  release: UPDATE,
  'cancel-twice': UPDATE,
  'cancel-picked': UPDATE,
  'cut-edit': UPDATE,
  'cut-cancel': UPDATE,
  stopped: UPDATE,
  transports: UPDATE,
  shipped: [['lists', 'orders']],
  'shipped-short': [['lists', 'orders']],
  approved: [['lists', 'orders']],
  lots: [['lists', 'lots']],
  'customer-create': [['writes', 'customer-create']],
  'product-create': [['writes', 'product-create']],
  'payment-create': [['writes', 'payment-create']],
  'payment-twice': [['writes', 'payment-create']],
  'payment-unknown': [['writes', 'payment-create']],
};

/** Where to correct a broken promise, likeliest first. */
export function placesOf(promise: string): readonly Place[] {
  const [, list] = /^(products|stock|orders|customers|payments)-(?:whole|since|late|stamp)$/.exec(promise) ?? [];
  return list === undefined ? (PLACES[promise] ?? []) : [['lists', list]];
}
