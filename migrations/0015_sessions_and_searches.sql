CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`proof` text NOT NULL,
	`ends_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ends_at_ms`);--> statement-breakpoint
DROP INDEX `orders_by_status`;--> statement-breakpoint
CREATE INDEX `orders_by_customer_name` ON `orders` (`account`,"customer_name" collate nocase);--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`account`,`status`,`modified`);--> statement-breakpoint
CREATE INDEX `erp_products_by_name` ON `erp_products` (`account`,"name" collate nocase);