ALTER TABLE `intents` ADD `left_at_ms` integer;--> statement-breakpoint
-- Nobody knows which of them were never sent.
UPDATE `intents` SET `left_at_ms` = `sent_at_ms`;
