import { BRAKES } from './brakes.ts';
import { ENTITY, FIND } from './entity.ts';
import { EVENT, EVENTS } from './events.ts';
import { GUIDE, GUIDE_TOPIC } from './guide.ts';
import { MAPPINGS } from './mappings.ts';
import { NEEDS } from './needs.ts';
import { OVERVIEW } from './overview.ts';
import type { Page } from './page.ts';
import { PLAN, PLAN_CSV, PLANS } from './plans.ts';
import { ACTIVITY, AUDIT } from './records.ts';
import { ORDERS, PRODUCTS } from './tables.ts';

/** Every page of the screen. */
export const PAGES: readonly Page[] = [
  OVERVIEW,
  NEEDS,
  ...ORDERS,
  ...PRODUCTS,
  ENTITY,
  FIND,
  PLANS,
  PLAN,
  PLAN_CSV,
  BRAKES,
  MAPPINGS,
  ACTIVITY,
  AUDIT,
  EVENTS,
  EVENT,
  GUIDE,
  GUIDE_TOPIC,
];
