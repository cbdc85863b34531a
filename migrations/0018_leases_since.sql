DROP INDEX `work_by_state`;--> statement-breakpoint
CREATE INDEX `work_by_state` ON `work` (`account`,`state`,`lane`,`since_ms`);--> statement-breakpoint
ALTER TABLE `leases` ADD `since_ms` integer DEFAULT 0 NOT NULL;