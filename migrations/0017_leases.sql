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
	`until_ms` integer NOT NULL
);
