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
