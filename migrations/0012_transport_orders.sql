CREATE TABLE `transport_orders` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`order_key` text,
	`status` text NOT NULL,
	`shipped_at` text,
	`delivered_at` text,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `transport_orders_by_order` ON `transport_orders` (`account`,`order_key`);