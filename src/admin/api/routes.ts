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

/** The calls about one thing, which the description shows together. */
export interface Group {
  readonly name: string;
  readonly about: string;
  readonly routes: readonly Route[];
}

export const GROUPS: readonly Group[] = [
  { name: 'status', about: 'How current each list is, and what needs a person', routes: STATUS_ROUTES },
  { name: 'explain', about: 'Why an entity is as it is', routes: EXPLAIN_ROUTES },
  { name: 'tables', about: 'Orders and products, with both sides', routes: TABLE_ROUTES },
  { name: 'jobs', about: 'Everything that does not continue by itself', routes: WORK_ROUTES },
  { name: 'tasks', about: 'Work in the background', routes: TASK_ROUTES },
  { name: 'plans', about: 'Plans of the next passes', routes: PLAN_ROUTES },
  { name: 'brakes', about: 'Plans that a brake holds', routes: BRAKE_ROUTES },
  { name: 'mappings', about: 'Links between the two sides', routes: MAPPING_ROUTES },
  { name: 'pauses', about: 'Flows that somebody has stopped', routes: PAUSE_ROUTES },
  { name: 'records', about: 'The journal and the audit log', routes: RECORD_ROUTES },
  { name: 'events', about: 'Webhooks that came', routes: EVENT_ROUTES },
];

/** Every call of the admin API. */
export const ROUTES: readonly Route[] = GROUPS.flatMap(({ routes }) => routes);
