create index "journal_by_flow" on "journal" ("flow", "id");
