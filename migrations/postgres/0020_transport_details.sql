alter table "transport_orders" add column "expected_at" text collate "C";
--> statement-breakpoint
alter table "transport_orders" add column "requested_on" text collate "C";
--> statement-breakpoint
alter table "transport_orders" add column "tracking" text collate "C";
