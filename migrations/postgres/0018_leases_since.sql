alter table "leases" add column "since_ms" bigint not null default 0;
--> statement-breakpoint
drop index "work_by_state";
--> statement-breakpoint
create index "work_by_state" on "work" ("account", "state", "lane", "since_ms");
