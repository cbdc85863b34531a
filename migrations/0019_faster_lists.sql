DROP INDEX `journal_by_key`;--> statement-breakpoint
CREATE INDEX `journal_by_entity` ON `journal` (`account`,`key`,`flow`);--> statement-breakpoint
CREATE INDEX `erp_products_sold` ON `erp_products` (`account`,`active`,`deleted`,`absences`,`id`);--> statement-breakpoint
CREATE INDEX `products_on_sale` ON `products` (`account`,`archived`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_entity` ON `audit` (`account`,`key`);