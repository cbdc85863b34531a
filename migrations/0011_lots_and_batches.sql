CREATE TABLE `erp_lots` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`product_id` text NOT NULL,
	`batch` text NOT NULL,
	`attributes` text NOT NULL,
	`changed_at` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_lots_by_batch` ON `erp_lots` (`account`,`product_id`,`batch`);--> statement-breakpoint
CREATE TABLE `batches` (
	`account` text NOT NULL,
	`id` integer NOT NULL,
	`match_key` text,
	`content` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `batches_by_key` ON `batches` (`account`,`match_key`);