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
