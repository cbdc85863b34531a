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
