ALTER TABLE `inbox` ADD `entity` text;--> statement-breakpoint
CREATE INDEX `inbox_by_entity` ON `inbox` (`account`,`kind`,`entity`);