create table "configurations" (
  "account" text collate "C" not null,
  "settings" text collate "C" not null,
  "generation" bigint not null,
  "brought_by" text collate "C" not null,
  "since_ms" bigint not null,
  primary key ("account", "settings")
);
--> statement-breakpoint
create unique index "configurations_by_generation" on "configurations" ("account", "generation");
--> statement-breakpoint
create table "daemon_configurations" (
  "daemon" text collate "C" not null,
  "account" text collate "C" not null,
  "settings" text collate "C",
  "may_work" bigint not null default 0,
  "problem" text collate "C",
  primary key ("daemon", "account")
);
