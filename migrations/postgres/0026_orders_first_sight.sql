alter table "orders" add column "first_modified" text collate "C";
--> statement-breakpoint
alter table "orders" add column "first_status" text collate "C";
--> statement-breakpoint
alter table "orders" add column "history" text collate "C";
--> statement-breakpoint
update "orders" set "first_modified" = "modified";
