create index "erp_products_by_price" on "erp_products" ("account", (cast("price_amount" as numeric)));
--> statement-breakpoint
create index "orders_by_total" on "orders" ("account", (cast("total" as numeric)));
