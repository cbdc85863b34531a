CREATE TABLE `answers` (
	`hash` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`asked_at_ms` integer NOT NULL,
	`answer` text
);
--> statement-breakpoint
CREATE INDEX `answers_by_time` ON `answers` (`asked_at_ms`);--> statement-breakpoint
CREATE TABLE `configurations` (
	`account` text NOT NULL,
	`settings` text NOT NULL,
	`generation` integer NOT NULL,
	`brought_by` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `settings`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_by_generation` ON `configurations` (`account`,`generation`);--> statement-breakpoint
CREATE TABLE `daemon_configurations` (
	`daemon` text NOT NULL,
	`account` text NOT NULL,
	`settings` text,
	`may_work` integer DEFAULT false NOT NULL,
	`problem` text,
	PRIMARY KEY(`daemon`, `account`)
);
--> statement-breakpoint
CREATE TABLE `daemons` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`works` integer DEFAULT false NOT NULL,
	`lives_until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`account` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`fence` integer NOT NULL,
	`until_ms` integer NOT NULL,
	`since_ms` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`proof` text NOT NULL,
	`ends_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ends_at_ms`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`account` text NOT NULL,
	`side` text NOT NULL,
	`source` text NOT NULL,
	`version` integer NOT NULL,
	`claimed_until_ms` integer NOT NULL,
	`access_token` text DEFAULT '' NOT NULL,
	`refresh_token` text,
	`obtained_at_ms` integer NOT NULL,
	`expires_at_ms` integer,
	PRIMARY KEY(`account`, `side`, `source`)
);
--> statement-breakpoint
CREATE TABLE `erp_customers` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`marketplace_id` integer,
	`license_key` text,
	`email_key` text,
	`gone` integer DEFAULT false NOT NULL,
	`content` text NOT NULL,
	`changed_at` text,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_customers_by_marketplace` ON `erp_customers` (`account`,`marketplace_id`);--> statement-breakpoint
CREATE INDEX `erp_customers_by_license` ON `erp_customers` (`account`,`license_key`);--> statement-breakpoint
CREATE INDEX `erp_customers_by_email` ON `erp_customers` (`account`,`email_key`);--> statement-breakpoint
CREATE TABLE `erp_images` (
	`account` text NOT NULL,
	`product_id` text NOT NULL,
	`url` text NOT NULL,
	`hash` text,
	`etag` text,
	`failure` text,
	`checked_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `product_id`, `url`)
);
--> statement-breakpoint
CREATE INDEX `erp_images_by_check` ON `erp_images` (`account`,`checked_at_ms`);--> statement-breakpoint
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
CREATE TABLE `erp_orders` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`reference` text NOT NULL,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`content` text NOT NULL,
	`changed_at` text NOT NULL,
	`counted_since` text,
	`seen_at_ms` integer NOT NULL,
	`changed_tick` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_orders_by_reference` ON `erp_orders` (`account`,`reference`);--> statement-breakpoint
CREATE INDEX `erp_orders_by_customer` ON `erp_orders` (`account`,"content" ->> '$.customer.id');--> statement-breakpoint
CREATE INDEX `erp_orders_by_shop_customer` ON `erp_orders` (`account`,"content" ->> '$.customer.marketplaceId');--> statement-breakpoint
CREATE TABLE `erp_payments` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`reference` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`method` text,
	`received_at` text,
	`marketplace_id` text,
	`voided` integer DEFAULT false NOT NULL,
	`changed_at` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_payments_by_reference` ON `erp_payments` (`account`,`reference`);--> statement-breakpoint
CREATE TABLE `erp_products` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`sku` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`active` integer DEFAULT false NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`price_amount` text NOT NULL,
	`currency` text NOT NULL,
	`unit_multiplier` text NOT NULL,
	`attributes` text NOT NULL,
	`changed_at` text NOT NULL,
	`absences` integer DEFAULT 0 NOT NULL,
	`listing` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `erp_products_by_sku` ON `erp_products` (`account`,`sku`);--> statement-breakpoint
CREATE INDEX `erp_products_sold` ON `erp_products` (`account`,`active`,`deleted`,`absences`,`id`);--> statement-breakpoint
CREATE INDEX `erp_products_by_name` ON `erp_products` (`account`,"name" collate nocase);--> statement-breakpoint
CREATE TABLE `erp_stock` (
	`account` text NOT NULL,
	`sku` text NOT NULL,
	`product_id` text NOT NULL,
	`location` text DEFAULT '' NOT NULL,
	`batch` text DEFAULT '' NOT NULL,
	`on_hand` text NOT NULL,
	`reserved` text NOT NULL,
	`available` text NOT NULL,
	`as_of` text NOT NULL,
	`problem` text,
	`changed_tick` integer NOT NULL,
	PRIMARY KEY(`account`, `product_id`, `location`, `batch`)
);
--> statement-breakpoint
CREATE INDEX `erp_stock_by_sku` ON `erp_stock` (`account`,`sku`);--> statement-breakpoint
CREATE TABLE `assignments` (
	`account` text NOT NULL,
	`listing_id` integer NOT NULL,
	`content` text NOT NULL,
	`tick` integer NOT NULL,
	PRIMARY KEY(`account`, `listing_id`)
);
--> statement-breakpoint
CREATE TABLE `batches` (
	`account` text NOT NULL,
	`id` integer NOT NULL,
	`match_key` text,
	`content` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `batches_by_key` ON `batches` (`account`,`match_key`);--> statement-breakpoint
CREATE TABLE `customers` (
	`account` text NOT NULL,
	`id` integer NOT NULL,
	`name` text NOT NULL,
	`external_id` text,
	`license_key` text,
	`email_key` text,
	`archived` integer DEFAULT false NOT NULL,
	`content` text NOT NULL,
	`modified` text,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `customers_by_external_id` ON `customers` (`account`,`external_id`);--> statement-breakpoint
CREATE INDEX `customers_by_license` ON `customers` (`account`,`license_key`);--> statement-breakpoint
CREATE INDEX `customers_by_email` ON `customers` (`account`,`email_key`);--> statement-breakpoint
CREATE INDEX `customers_by_modified` ON `customers` (`account`,`modified`);--> statement-breakpoint
CREATE TABLE `listing_images` (
	`account` text NOT NULL,
	`id` integer NOT NULL,
	`listing_id` integer NOT NULL,
	`position` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `listing_images_by_listing` ON `listing_images` (`account`,`listing_id`);--> statement-breakpoint
CREATE TABLE `listing_signs` (
	`account` text NOT NULL,
	`sign` text NOT NULL,
	`listing_id` integer NOT NULL,
	PRIMARY KEY(`account`, `sign`, `listing_id`)
);
--> statement-breakpoint
CREATE INDEX `listing_signs_by_listing` ON `listing_signs` (`account`,`listing_id`);--> statement-breakpoint
CREATE TABLE `measurements` (
	`account` text NOT NULL,
	`listing_id` integer NOT NULL,
	`rows` text NOT NULL,
	`tick` integer NOT NULL,
	`asked_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `listing_id`)
);
--> statement-breakpoint
CREATE TABLE `names` (
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`parent_id` integer,
	PRIMARY KEY(`account`, `kind`, `id`)
);
--> statement-breakpoint
CREATE INDEX `names_by_key` ON `names` (`account`,`kind`,`name_key`);--> statement-breakpoint
CREATE TABLE `order_lines` (
	`account` text NOT NULL,
	`number` text NOT NULL,
	`line_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`quantity` text NOT NULL,
	`price_amount` text NOT NULL,
	`currency` text NOT NULL,
	`sales_amount` text,
	`sales_currency` text,
	`unit_multiplier` text,
	`late` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`account`, `number`, `line_id`)
);
--> statement-breakpoint
CREATE INDEX `order_lines_by_product` ON `order_lines` (`account`,`product_id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`account` text NOT NULL,
	`number` text NOT NULL,
	`status` text NOT NULL,
	`modified` text NOT NULL,
	`external_id` text,
	`customer_id` integer,
	`customer_name` text,
	`discount_amount` text NOT NULL,
	`shipping_amount` text,
	`tax_amount` text,
	`total` text,
	`delivery_state` text,
	`has_lines` integer DEFAULT false NOT NULL,
	`lines_status` text,
	`hash` text NOT NULL,
	`raw` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	`first_modified` text,
	`first_status` text,
	`history` text,
	PRIMARY KEY(`account`, `number`)
);
--> statement-breakpoint
CREATE INDEX `orders_without_lines` ON `orders` (`account`,`has_lines`,`number`);--> statement-breakpoint
CREATE INDEX `orders_by_modified` ON `orders` (`account`,`modified`);--> statement-breakpoint
CREATE INDEX `orders_by_status` ON `orders` (`account`,`status`,`modified`);--> statement-breakpoint
CREATE INDEX `orders_by_external_id` ON `orders` (`account`,`external_id`);--> statement-breakpoint
CREATE INDEX `orders_by_customer` ON `orders` (`account`,`customer_id`);--> statement-breakpoint
CREATE INDEX `orders_by_customer_name` ON `orders` (`account`,"customer_name" collate nocase);--> statement-breakpoint
CREATE TABLE `payments` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`order_number` text NOT NULL,
	`total` text NOT NULL,
	`currency` text,
	`type` text NOT NULL,
	`paid_at` text,
	`created_at` text,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `payments_by_order` ON `payments` (`account`,`order_number`);--> statement-breakpoint
CREATE TABLE `products` (
	`account` text NOT NULL,
	`id` integer NOT NULL,
	`sku` text,
	`external_id` text,
	`name` text,
	`description` text,
	`price_amount` text,
	`currency` text,
	`unit_multiplier` text,
	`quantity` text,
	`reserved` text,
	`available` text,
	`certain` integer DEFAULT false NOT NULL,
	`observed_tick` integer NOT NULL,
	`released_tick` integer DEFAULT 0 NOT NULL,
	`unexplained` text DEFAULT '0' NOT NULL,
	`unseen` text DEFAULT '0' NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`managed` integer DEFAULT false NOT NULL,
	`modified` text,
	`created_on` text,
	`raw` text NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `products_by_sku` ON `products` (`account`,`sku`);--> statement-breakpoint
CREATE INDEX `products_by_external_id` ON `products` (`account`,`external_id`);--> statement-breakpoint
CREATE INDEX `products_on_sale` ON `products` (`account`,`archived`,`id`);--> statement-breakpoint
CREATE TABLE `transport_orders` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`order_key` text,
	`status` text NOT NULL,
	`shipped_at` text,
	`delivered_at` text,
	`expected_at` text,
	`requested_on` text,
	`tracking` text,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
);
--> statement-breakpoint
CREATE INDEX `transport_orders_by_order` ON `transport_orders` (`account`,`order_key`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel` text NOT NULL,
	`event` text NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`about` text NOT NULL,
	`code` text NOT NULL,
	`count` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`not_before_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_by_channel` ON `messages` (`channel`,`id`);--> statement-breakpoint
CREATE TABLE `notices` (
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`about` text NOT NULL,
	`code` text NOT NULL,
	`count` integer NOT NULL,
	`since_ms` integer NOT NULL,
	`told` integer DEFAULT false NOT NULL,
	`gone_since_ms` integer,
	PRIMARY KEY(`account`, `kind`, `about`, `code`)
);
--> statement-breakpoint
CREATE TABLE `coverage` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`collection` text NOT NULL,
	`from_instant` text,
	`to_instant` text,
	`rows` integer NOT NULL,
	`finding` text,
	`read_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `coverage_by_collection` ON `coverage` (`account`,`collection`,`id`);--> statement-breakpoint
CREATE TABLE `cursors` (
	`account` text NOT NULL,
	`collection` text NOT NULL,
	`value` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `collection`)
);
--> statement-breakpoint
CREATE TABLE `facts` (
	`account` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `name`)
);
--> statement-breakpoint
CREATE TABLE `forgotten` (
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`forgotten_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `inbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`body_hash` text NOT NULL,
	`body` blob NOT NULL,
	`received_at_ms` integer NOT NULL,
	`processed_at_ms` integer,
	`entity` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_by_body` ON `inbox` (`account`,`kind`,`body_hash`);--> statement-breakpoint
CREATE INDEX `inbox_by_entity` ON `inbox` (`account`,`kind`,`entity`);--> statement-breakpoint
CREATE INDEX `inbox_by_processed` ON `inbox` (`processed_at_ms`,`account`,`kind`);--> statement-breakpoint
CREATE TABLE `invalid_rows` (
	`account` text NOT NULL,
	`collection` text NOT NULL,
	`what` text NOT NULL,
	`path` text NOT NULL,
	`message` text NOT NULL,
	`cause` text DEFAULT '' NOT NULL,
	`seen_at_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `collection`, `what`)
);
--> statement-breakpoint
CREATE TABLE `stock_history` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`part` text NOT NULL,
	`before` text,
	`after` text,
	`as_of` text
);
--> statement-breakpoint
CREATE INDEX `stock_history_by_key` ON `stock_history` (`account`,`kind`,`key`,`id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_ms` integer NOT NULL,
	`who` text NOT NULL,
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`outcome` text NOT NULL,
	`result_of` integer,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_result` ON `audit` (`result_of`);--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit` (`account`,`action`);--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit` (`account`,`key`);--> statement-breakpoint
CREATE TABLE `brake_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`plan_id` integer NOT NULL,
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`why` text NOT NULL,
	`reason` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `brake_items_by_write` ON `brake_items` (`account`,`flow`,`key`,`action`,`target`);--> statement-breakpoint
CREATE INDEX `brake_items_by_plan` ON `brake_items` (`plan_id`,`id`);--> statement-breakpoint
CREATE TABLE `brake_plans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`kind` text NOT NULL,
	`holds_all` integer DEFAULT false NOT NULL,
	`reason` text NOT NULL,
	`state` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`decided_by` text
);
--> statement-breakpoint
CREATE INDEX `brake_plans_by_kind` ON `brake_plans` (`account`,`flow`,`kind`,`state`);--> statement-breakpoint
CREATE TABLE `drifts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`listing_id` integer NOT NULL,
	`tick` integer NOT NULL,
	`quantity` text NOT NULL,
	`reserved` text NOT NULL,
	`shown_quantity` text NOT NULL,
	`shown_reserved` text NOT NULL,
	`certain` integer DEFAULT false NOT NULL,
	`moves` text DEFAULT '[]' NOT NULL,
	`kind` text,
	`note` text DEFAULT '' NOT NULL,
	`seen_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drifts_by_listing` ON `drifts` (`account`,`listing_id`,`id`);--> statement-breakpoint
CREATE INDEX `drifts_by_kind` ON `drifts` (`account`,`kind`);--> statement-breakpoint
CREATE TABLE `journal` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`at_ms` integer NOT NULL,
	`why` text NOT NULL,
	`outcome` text NOT NULL,
	`answer` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_by_entity` ON `journal` (`account`,`key`,`flow`);--> statement-breakpoint
CREATE INDEX `journal_by_action` ON `journal` (`account`,`action`,`at_ms`);--> statement-breakpoint
CREATE INDEX `journal_by_flow` ON `journal` (`flow`,`id`);--> statement-breakpoint
CREATE TABLE `failed_jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`cause` text NOT NULL,
	`message` text NOT NULL,
	`attempts` integer NOT NULL,
	`failed_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `failed_jobs_by_key` ON `failed_jobs` (`account`,`flow`,`key`);--> statement-breakpoint
CREATE TABLE `intents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`external_id` text NOT NULL,
	`sent` text DEFAULT '' NOT NULL,
	`state` text NOT NULL,
	`evidence` text DEFAULT '' NOT NULL,
	`candidates` text DEFAULT '[]' NOT NULL,
	`dropped_as` text,
	`sent_at_ms` integer NOT NULL,
	`left_at_ms` integer,
	`settled_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `intents_by_key` ON `intents` (`account`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `intents_by_state` ON `intents` (`state`);--> statement-breakpoint
CREATE TABLE `mappings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`marketplace_id` text,
	`erp_id` text,
	`state` text NOT NULL,
	`how` text NOT NULL,
	`echoes` text DEFAULT '{}' NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mappings_by_marketplace` ON `mappings` (`account`,`kind`,`marketplace_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mappings_by_erp` ON `mappings` (`account`,`kind`,`erp_id`);--> statement-breakpoint
CREATE TABLE `order_bases` (
	`account` text NOT NULL,
	`number` text NOT NULL,
	`record` text NOT NULL,
	PRIMARY KEY(`account`, `number`)
);
--> statement-breakpoint
CREATE TABLE `pauses` (
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`reason` text NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `flow`)
);
--> statement-breakpoint
CREATE TABLE `reconciles` (
	`intent_id` integer PRIMARY KEY NOT NULL,
	`listing_id` integer NOT NULL,
	`facility_id` integer NOT NULL,
	`batch_id` integer NOT NULL,
	`to_quantity` text NOT NULL,
	`reserved` text NOT NULL,
	`command_id` integer,
	`looked_at_ms` integer NOT NULL,
	`failure` text
);
--> statement-breakpoint
CREATE TABLE `replays` (
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`audit_id` integer NOT NULL,
	`journal_id` integer NOT NULL,
	PRIMARY KEY(`account`, `flow`, `key`)
);
--> statement-breakpoint
CREATE TABLE `work` (
	`account` text NOT NULL,
	`flow` text NOT NULL,
	`key` text NOT NULL,
	`version` integer NOT NULL,
	`lane` text NOT NULL,
	`reason` text NOT NULL,
	`state` text NOT NULL,
	`hold_reason` text,
	`held_since_ms` integer,
	`not_before_ms` integer DEFAULT 0 NOT NULL,
	`since_ms` integer NOT NULL,
	PRIMARY KEY(`account`, `flow`, `key`)
);
--> statement-breakpoint
CREATE INDEX `work_by_state` ON `work` (`account`,`state`,`lane`,`since_ms`);