/** `n` sorts rows and makes ids. Times are milliseconds of the ERP's clock, decimals text. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS products (
    n INTEGER PRIMARY KEY AUTOINCREMENT, sku TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    active INTEGER NOT NULL, deleted INTEGER NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL,
    unit_multiplier TEXT NOT NULL, attributes TEXT NOT NULL, changed_ms INTEGER NOT NULL, on_hand TEXT NOT NULL,
    reserved TEXT NOT NULL, stock_changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS products_sku ON products (sku);
  CREATE INDEX IF NOT EXISTS products_changed ON products (changed_ms, n);
  CREATE INDEX IF NOT EXISTS products_stock_changed ON products (stock_changed_ms, n);
  CREATE TABLE IF NOT EXISTS stock_locations (
    n INTEGER NOT NULL, location TEXT NOT NULL, batch TEXT NOT NULL, on_hand TEXT NOT NULL, reserved TEXT NOT NULL,
    UNIQUE (n, location, batch)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS lots (
    n INTEGER PRIMARY KEY AUTOINCREMENT, product_id TEXT NOT NULL, batch TEXT NOT NULL, attributes TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS lots_changed ON lots (changed_ms, n);
  CREATE TABLE IF NOT EXISTS orders (
    n INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL, origin TEXT NOT NULL, status TEXT NOT NULL,
    customer TEXT NOT NULL, currency TEXT NOT NULL, lines TEXT NOT NULL, discount TEXT NOT NULL,
    shipping TEXT NOT NULL, tax TEXT NOT NULL, total TEXT NOT NULL, note TEXT NOT NULL, attributes TEXT NOT NULL,
    approval TEXT NOT NULL, transports TEXT NOT NULL,
    delivery TEXT NOT NULL, created_ms INTEGER NOT NULL, changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS orders_reference ON orders (reference);
  CREATE INDEX IF NOT EXISTS orders_changed ON orders (changed_ms, n);
  CREATE TABLE IF NOT EXISTS customers (
    n INTEGER PRIMARY KEY AUTOINCREMENT, marketplace_id INTEGER, name TEXT NOT NULL, fields TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS customers_marketplace_id ON customers (marketplace_id);
  CREATE INDEX IF NOT EXISTS customers_changed ON customers (changed_ms, n);
  CREATE TABLE IF NOT EXISTS payments (
    n INTEGER PRIMARY KEY AUTOINCREMENT, order_id TEXT NOT NULL, reference TEXT NOT NULL, amount TEXT NOT NULL,
    currency TEXT NOT NULL, method TEXT, received_at TEXT, marketplace_id TEXT, voided INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_marketplace_id ON payments (marketplace_id);
  CREATE INDEX IF NOT EXISTS payments_changed ON payments (changed_ms, n);
`;
