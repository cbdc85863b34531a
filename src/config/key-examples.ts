import type { z } from 'zod';

/** A user's password, stored as a hash. */
const HASHED = `scrypt:16384:8:5:c2FsdHNhbHRzYWx0c2E:${'a'.repeat(43)}`;

/** An example for each key without a default, fixed values or an example of its own. */
const KEY_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  // Secrets come from the environment or from a file.
  ...fromOutside(
    'operator_token viewer_token password secret key token client_secret refresh_token',
    'passphrase consumer_key consumer_secret token_id token_secret smtp',
  ),
  // Names and addresses
  client_id: ['stockbridge'],
  scope: ['api.read api.write'],
  key_id: ['2026-01'],
  thumbprint: ['b1946ac92492d2347c6235b4d2611184'],
  issuer: ['https://login.example'],
  subject: ['stockbridge@company.example'],
  audience: ['https://erp.example'],
  realm: ['1234567_SB1'],
  name: ['warehouse', 'ann'],
  url: ['https://erp.example'],
  host: ['sftp.erp.example'],
  user: ['stockbridge'],
  host_key: ['SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'],
  from: ['stockbridge@company.example', '2026-01-01T00:00:00Z', 'attributes.images'],
  to: [['warehouse@company.example']],
  hosts: [['images.company.example']],
  tls_ca: ['/etc/ssl/erp-ca.pem'],
  dir: ['/srv/erp/exchange'],
  database: ['erp'],
  module: ['./erp/shop.ts'],
  extends: ['odoo'],
  accounts_from: ['./accounts'],
  daemons: [['berlin-1']],
  group: ['pilot'],
  // Fields of the ERP and of the marketplace
  accept: ['accept'],
  ship: ['ship'],
  reject: ['reject'],
  discount_type: ['amount'],
  requested_date: ['requested_ship_date'],
  customer_name: ['customer_display_name'],
  category: ['attributes.category'],
  sub_category: ['attributes.sub_category'],
  brand: ['attributes.brand'],
  product_line: ['attributes.line'],
  order: ['payload.order'],
  order_id: ['payload.id'],
  purchase_order_number: ['payload.number'],
  match: ['sku'],
  warehouse: ['Main warehouse'],
  customer: ['Marketplace'],
  shipping_product: ['SHIPPING'],
  discount_product: ['DISCOUNT'],
  payment_journal: ['BANK'],
  erp_location: ['MAIN'],
  erp_batch: ['LOT-2026-01'],
  // Numbers
  seller_id: [4711],
  company_id: [4711],
  created_by: [17],
  facility_id: [12],
  batch_id: [31],
  price: [2],
  quantity: [0],
  length: [64],
  rows: [1],
  count: [20, 'total'],
  percent: [20],
  limit: [100],
  per_second: [5],
  per_minute: [120],
  concurrent: [4],
  concurrent_writes: [1],
  // Times
  orders: ['15s'],
  customers: ['5m'],
  every: ['1m'],
  lifetime: ['20m'],
  export_takes: ['10m'],
  longest_transaction: ['2m'],
  since: ['2026-01-01', '2026-01-01T00:00:00Z'],
  export_from: ['2026-01-01T00:00:00Z'],
  zone: ['Europe/Berlin'],
  dates: ['dd.MM.yyyy'],
  // Descriptions of an ERP: expressions, templates and statements
  path: ['/api/products', 'exports/products-*.csv'],
  files: ['products-*.csv'],
  sheet: ['Products'],
  column: ['sku'],
  header: [['sku', 'name', 'price'], 'X-Api-Key'],
  marks: ['.done'],
  separator: [';'],
  pattern: ['products-(\\d+)\\.csv'],
  prefix: ['Bearer '],
  parameter: ['offset'],
  mode: ['on_hand', '0640'],
  version: ['response.version'],
  time: ['response.now'],
  capabilities: ['response.capabilities'],
  items: ['data'],
  empty: ["status = 'none'"],
  total: ['meta.total'],
  more: ['meta.has_more'],
  next: ['meta.next'],
  as: ['row.id'],
  witness: ['row.updated_at'],
  as_of: ['meta.as_of'],
  complete: ['meta.complete'],
  of: ['row.lines'],
  is: ["row.type = 'order'"],
  each: ['order.lines'],
  where: ["status <> 'deleted'"],
  when: ['order.open'],
  done: ["order.status = 'draft'"],
  must: ['order.id != null'],
  status: [409],
  skus: ['response.missing'],
  message: ['not enough stock'],
  query: ['select id, sku, name from products', { status: 'open' }],
  sql: ['select id, sku, name from products'],
  changed: ['updated_at >= :since'],
  lines: ['select sku, quantity from order_lines where order_id = :id'],
  'products-by-sku': ['/api/products?sku={{sku}}'],
  'stock-by-sku': ['/api/stock?sku={{sku}}'],
  'orders-by-reference': ['/api/orders?reference={{reference}}'],
  'order-by-id': ['/api/orders/{{id}}'],
  'customers-by-marketplace-id': ['/api/customers?external={{id}}'],
  'payments-by-marketplace-id': ['/api/payments?external={{id}}'],
  code: ['55P03'],
  // Maps with free keys
  claims: [{ scope: 'api' }],
  headers: [{ 'X-Company': '1' }],
  form: [{ grant_type: 'client_credentials' }],
  keep: [{ cursor: 'meta.cursor' }],
  settings: [{ warehouse: 'Main warehouse' }],
  fields: [{ remark: 'notes' }],
  type: ['./erp/shop.ts'],
  contains: ['is locked'],
  tracking: ['shipment.tracking'],
  row: [{ id: 'code', sku: 'code' }],
  body: ['{ "status": "cancelled" }', { status: 'cancelled' }],
};

function fromOutside(...names: readonly string[]): Record<string, readonly string[]> {
  const keys = names.flatMap((some) => some.split(' '));
  return Object.fromEntries(keys.map((key) => [key, [`\${env:${key.toUpperCase()}}`, HASHED]]));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Adds an example to each key that shows no values yet. */
export function withExamples(schema: JsonSchema): JsonSchema {
  const within = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(within);
    return typeof part === 'object' && part !== null ? withExamples(part as JsonSchema) : part;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => {
      if (word === 'properties') return [word, eachKey(value as Record<string, JsonSchema>)];
      if (word === '$defs')
        return [word, Object.fromEntries(Object.entries(value as object).map(([name, of]) => [name, within(of)]))];
      return [word, HOLDING_SCHEMAS.has(word) ? within(value) : value];
    }),
  );
}

const HOLDING_SCHEMAS = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'then',
  'else',
  'not',
]);

function eachKey(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const examples = showsValues(schema) ? [] : (KEY_EXAMPLES[key] ?? []).filter((value) => isOf(schema, value));
      return [key, { ...withExamples(schema), ...(examples.length === 0 ? {} : { examples: examples.slice(0, 1) }) }];
    }),
  );
}

function showsValues(schema: boolean | JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const { anyOf = [], allOf = [], default: preset, const: only, enum: values, examples, properties, type } = schema;
  const isShown = [preset, only, values, examples, properties].some((one) => one !== undefined);
  return isShown || type === 'boolean' || [...anyOf, ...allOf].some(showsValues);
}

function isOf(schema: boolean | JsonSchema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  const { type, anyOf, pattern, maxLength } = schema;
  if (anyOf !== undefined) return anyOf.some((one) => isOf(one, value));
  if (Array.isArray(value)) return type === 'array';
  if (typeof value === 'string')
    return (
      [undefined, 'string'].includes(type as string | undefined) &&
      value.length <= (maxLength ?? value.length) &&
      (pattern === undefined || new RegExp(pattern, 'u').test(value))
    );
  if (typeof value === 'number') return ['integer', 'number'].includes(String(type));
  return type === undefined || type === 'object';
}
