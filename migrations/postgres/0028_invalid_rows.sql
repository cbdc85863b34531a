alter table "misfits" rename to "invalid_rows";
--> statement-breakpoint
alter table "invalid_rows" rename constraint "misfits_pkey" to "invalid_rows_pkey";
--> statement-breakpoint
update "work" set "hold_reason" = replace(replace(replace(replace(replace(replace("hold_reason", '"erp-misfit"', '"erp-invalid-answer"'), '"marketplace-misfit"', '"marketplace-invalid-answer"'), '"redis-misfit"', '"redis-invalid-answer"'), '"erp-file-misfits"', '"erp-file-invalid-rows"'), '-misfit"', '-invalid"'), '"misfits":', '"invalidRows":') where "hold_reason" like '%misfit%';
--> statement-breakpoint
update "brake_plans" set "reason" = replace(replace(replace(replace(replace(replace("reason", '"erp-misfit"', '"erp-invalid-answer"'), '"marketplace-misfit"', '"marketplace-invalid-answer"'), '"redis-misfit"', '"redis-invalid-answer"'), '"erp-file-misfits"', '"erp-file-invalid-rows"'), '-misfit"', '-invalid"'), '"misfits":', '"invalidRows":') where "reason" like '%misfit%';
--> statement-breakpoint
update "brake_items" set "reason" = replace(replace(replace(replace(replace(replace("reason", '"erp-misfit"', '"erp-invalid-answer"'), '"marketplace-misfit"', '"marketplace-invalid-answer"'), '"redis-misfit"', '"redis-invalid-answer"'), '"erp-file-misfits"', '"erp-file-invalid-rows"'), '-misfit"', '-invalid"'), '"misfits":', '"invalidRows":') where "reason" like '%misfit%';
--> statement-breakpoint
update "intents" set "evidence" = replace(replace(replace(replace(replace(replace("evidence", '"erp-misfit"', '"erp-invalid-answer"'), '"marketplace-misfit"', '"marketplace-invalid-answer"'), '"redis-misfit"', '"redis-invalid-answer"'), '"erp-file-misfits"', '"erp-file-invalid-rows"'), '-misfit"', '-invalid"'), '"misfits":', '"invalidRows":') where "evidence" like '%misfit%';
--> statement-breakpoint
update "facts" set "value" = replace(replace(replace(replace(replace(replace("value", '"erp-misfit"', '"erp-invalid-answer"'), '"marketplace-misfit"', '"marketplace-invalid-answer"'), '"redis-misfit"', '"redis-invalid-answer"'), '"erp-file-misfits"', '"erp-file-invalid-rows"'), '-misfit"', '-invalid"'), '"misfits":', '"invalidRows":') where "value" like '%misfit%';
--> statement-breakpoint
update "failed_jobs" set "cause" = case "cause" when 'erp-misfit' then 'erp-invalid-answer' when 'marketplace-misfit' then 'marketplace-invalid-answer' when 'redis-misfit' then 'redis-invalid-answer' when 'erp-file-misfits' then 'erp-file-invalid-rows' else replace("cause", '-misfit', '-invalid') end where "cause" like '%misfit%';
--> statement-breakpoint
update "notices" set "code" = case "code" when 'erp-misfit' then 'erp-invalid-answer' when 'marketplace-misfit' then 'marketplace-invalid-answer' when 'redis-misfit' then 'redis-invalid-answer' when 'erp-file-misfits' then 'erp-file-invalid-rows' else replace("code", '-misfit', '-invalid') end where "code" like '%misfit%';
--> statement-breakpoint
update "notices" set "kind" = 'invalid row' where "kind" = 'misfit';
