DROP INDEX `erp_products_by_name`;--> statement-breakpoint
CREATE INDEX `erp_products_by_name` ON `erp_products` (`account`,lower("name"));--> statement-breakpoint
DROP INDEX `orders_by_customer_name`;--> statement-breakpoint
CREATE INDEX `orders_by_customer_name` ON `orders` (`account`,lower("customer_name"));