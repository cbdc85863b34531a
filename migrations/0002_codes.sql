-- Why something is held, has failed, is in doubt or is an alert is a code with its parameters, not a sentence. What was held is
-- looked at again, and held anew with its code. A doubt, an alert and what is known of a write keep their text.
UPDATE `work` SET `state` = 'pending', `not_before_ms` = 0, `version` = `version` + 1 WHERE `state` = 'held';
--> statement-breakpoint
UPDATE `work` SET `hold_reason` = NULL WHERE `hold_reason` IS NOT NULL;
--> statement-breakpoint
UPDATE `failed_jobs` SET `cause` = replace(`cause`, ' ', '-');
--> statement-breakpoint
UPDATE `intents` SET `evidence` = json_object('code', 'as-told', 'params', json_object('text', `evidence`)) WHERE `evidence` <> '';
--> statement-breakpoint
UPDATE `facts` SET `value` = json_array(json_object('code', 'as-told', 'params', json_object('text', `value`)))
WHERE substr(`name`, 1, 6) = 'alert:';
