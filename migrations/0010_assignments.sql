CREATE TABLE `assignments` (
	`account` text NOT NULL,
	`listing_id` integer NOT NULL,
	`content` text NOT NULL,
	`tick` integer NOT NULL,
	PRIMARY KEY(`account`, `listing_id`)
);
