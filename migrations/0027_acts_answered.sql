CREATE TABLE `answers` (
	`hash` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`asked_at_ms` integer NOT NULL,
	`answer` text
);
--> statement-breakpoint
CREATE INDEX `answers_by_time` ON `answers` (`asked_at_ms`);