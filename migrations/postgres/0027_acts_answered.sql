create table "answers" (
  "hash" text collate "C" primary key,
  "request_hash" text collate "C" not null,
  "asked_at_ms" bigint not null,
  "answer" text collate "C"
);
--> statement-breakpoint
create index "answers_by_time" on "answers" ("asked_at_ms");
