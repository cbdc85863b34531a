create index "erp_products_sold" on "erp_products" ("account", "active", "deleted", "absences", "id");
--> statement-breakpoint
create index "products_on_sale" on "products" ("account", "archived", "id");
--> statement-breakpoint
create index "audit_by_entity" on "audit" ("account", "key");
--> statement-breakpoint
drop index "journal_by_key";
--> statement-breakpoint
create index "journal_by_entity" on "journal" ("account", "key", "flow");
