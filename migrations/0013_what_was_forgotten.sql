CREATE TABLE `forgotten` (
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`forgotten_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `kind`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_orders_by_customer` ON `erp_orders` (`account`,"content" ->> '$.customer.id');--> statement-breakpoint
CREATE INDEX `erp_orders_by_shop_customer` ON `erp_orders` (`account`,"content" ->> '$.customer.marketplaceId');--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`account`,`customer_id`);