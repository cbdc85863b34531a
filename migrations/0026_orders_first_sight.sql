ALTER TABLE `orders` ADD `first_modified` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `first_status` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `history` text;--> statement-breakpoint
UPDATE `orders` SET `first_modified` = `modified`;
