-- The limit that a held write exceeds is a code with its parameters, not a sentence. A plan keeps its text. A write that waits
-- for its plan is looked at again, and held anew with the code.
UPDATE `brake_plans` SET `reason` = json_object('code', 'as-told', 'params', json_object('text', `reason`));
--> statement-breakpoint
UPDATE `brake_items` SET `reason` = json_object('code', 'as-told', 'params', json_object('text', `reason`));
--> statement-breakpoint
UPDATE `work` SET `state` = 'pending', `not_before_ms` = 0, `version` = `version` + 1
WHERE `state` = 'held' AND instr(`hold_reason`, '"exceeds"') > 0;
--> statement-breakpoint
UPDATE `work` SET `hold_reason` = NULL WHERE instr(`hold_reason`, '"exceeds"') > 0;
