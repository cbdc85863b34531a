CREATE TABLE `listing_signs` (
	`account` text NOT NULL,
	`sign` text NOT NULL,
	`listing_id` integer NOT NULL,
	PRIMARY KEY(`account`, `sign`, `listing_id`)
);
--> statement-breakpoint
CREATE INDEX `listing_signs_by_listing` ON `listing_signs` (`account`,`listing_id`);