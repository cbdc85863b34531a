alter table "misfits" add column "cause" text collate "C" not null default '';
