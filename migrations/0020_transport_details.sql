ALTER TABLE `transport_orders` ADD `expected_at` text;--> statement-breakpoint
ALTER TABLE `transport_orders` ADD `requested_on` text;--> statement-breakpoint
ALTER TABLE `transport_orders` ADD `tracking` text;