import { BRAKE_ROUTES } from './brakes.ts';
import { EVENT_ROUTES } from './events.ts';
import { EXPLAIN_ROUTES } from './explain.ts';
import { MAPPING_ROUTES } from './mappings.ts';
import { PAUSE_ROUTES } from './pauses.ts';
import { PLAN_ROUTES } from './plans.ts';
import { RECORD_ROUTES } from './records.ts';
import type { Route } from './route.ts';
import { STATUS_ROUTES } from './status.ts';
import { TABLE_ROUTES } from './tables.ts';
import { TASK_ROUTES } from './tasks.ts';
import { WORK_ROUTES } from './work.ts';

/** Every call of the admin API. */
export const ROUTES: readonly Route[] = [
  ...STATUS_ROUTES,
  ...EXPLAIN_ROUTES,
  ...TABLE_ROUTES,
  ...WORK_ROUTES,
  ...TASK_ROUTES,
  ...PLAN_ROUTES,
  ...BRAKE_ROUTES,
  ...MAPPING_ROUTES,
  ...PAUSE_ROUTES,
  ...RECORD_ROUTES,
  ...EVENT_ROUTES,
];
