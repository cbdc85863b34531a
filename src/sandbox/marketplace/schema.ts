/** Instants are microseconds, decimals texts. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sku TEXT NOT NULL, name TEXT NOT NULL, listing_state TEXT NOT NULL, archived INTEGER NOT NULL,
  inventory_management INTEGER NOT NULL, quantity TEXT NOT NULL, reserved_qty TEXT NOT NULL,
  price TEXT NOT NULL, sale_price TEXT NOT NULL, currency TEXT NOT NULL, unit_multiplier TEXT NOT NULL,
  created_on INTEGER NOT NULL, modified INTEGER NOT NULL, external_ids TEXT NOT NULL, fields TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS products_modified ON products (archived, modified, id);
CREATE INDEX IF NOT EXISTS products_all_modified ON products (modified, id);
CREATE INDEX IF NOT EXISTS products_created ON products (archived, created_on, id);
CREATE INDEX IF NOT EXISTS products_all_created ON products (created_on, id);
CREATE INDEX IF NOT EXISTS products_sku ON products (sku);
CREATE INDEX IF NOT EXISTS products_line ON products (
  coalesce(json_extract(fields, '$.product_line.id'), json_extract(fields, '$.product_line'))
);
CREATE TABLE IF NOT EXISTS product_external_ids (
  key TEXT NOT NULL, value TEXT NOT NULL, product INTEGER NOT NULL, PRIMARY KEY (key, value, product)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS external_ids_product ON product_external_ids (product);
CREATE TABLE IF NOT EXISTS records (
  family TEXT NOT NULL, id INTEGER NOT NULL, key TEXT NOT NULL,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (family, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS records_key ON records (family, key);
CREATE INDEX IF NOT EXISTS records_modified ON records (family, modified, id);
CREATE TABLE IF NOT EXISTS record_ids (family TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  number TEXT NOT NULL UNIQUE, status TEXT NOT NULL, customer INTEGER NOT NULL, external_id TEXT,
  discount_amount TEXT NOT NULL, shipping_charge TEXT NOT NULL, currency TEXT NOT NULL,
  created_on INTEGER NOT NULL, modified INTEGER NOT NULL, delivery_address TEXT NOT NULL,
  lines TEXT NOT NULL, frozen TEXT NOT NULL, fields TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS orders_modified ON orders (modified, id);
CREATE INDEX IF NOT EXISTS orders_created ON orders (created_on, id);
CREATE INDEX IF NOT EXISTS orders_status ON orders (status, modified, id);
CREATE TABLE IF NOT EXISTS line_orders (line INTEGER PRIMARY KEY AUTOINCREMENT, "order" INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS inventory_items (
  product INTEGER NOT NULL, facility INTEGER NOT NULL, batch INTEGER NOT NULL, on_hand TEXT NOT NULL,
  reserved TEXT NOT NULL, allocated TEXT NOT NULL, held TEXT NOT NULL, archived TEXT NOT NULL,
  updated_at INTEGER NOT NULL, PRIMARY KEY (product, facility, batch)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reservations (
  line INTEGER NOT NULL, facility INTEGER NOT NULL, batch INTEGER NOT NULL, quantity TEXT NOT NULL,
  fulfilled TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (line, facility, batch)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS allocations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, product INTEGER NOT NULL, facility INTEGER NOT NULL, batch INTEGER NOT NULL,
  quantity TEXT NOT NULL, buyer INTEGER, customer_group INTEGER, created_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS inventory_commands (
  id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL,
  status TEXT NOT NULL, metadata TEXT NOT NULL, due INTEGER, doom TEXT, settled_at INTEGER
);
CREATE INDEX IF NOT EXISTS inventory_commands_due ON inventory_commands (due, id) WHERE status = 'Pending';
DROP TABLE IF EXISTS products_before;
DROP TABLE IF EXISTS orders_before;
CREATE TABLE products_before AS SELECT * FROM products WHERE 0;
CREATE TABLE orders_before AS SELECT * FROM orders WHERE 0;
`;
