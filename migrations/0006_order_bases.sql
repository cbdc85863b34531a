CREATE TABLE `order_bases` (
	`account` text NOT NULL,
	`number` text NOT NULL,
	`record` text NOT NULL,
	PRIMARY KEY(`account`, `number`)
);
