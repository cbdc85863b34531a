create index "orders_without_lines" on "orders" ("account", "has_lines", "number");
