import { BRAKES } from './brakes.ts';
import { ENTITY, FIND } from './entity.ts';
import { EVENT, EVENTS } from './events.ts';
import { GUIDE, GUIDE_TOPIC } from './guide.ts';
import { MAPPINGS } from './mappings.ts';
import { NEEDS } from './needs.ts';
import { ORDERS, ORDERS_CSV } from './orders.ts';
import { OVERVIEW } from './overview.ts';
import type { Page } from './page.ts';
import { PLAN, PLAN_CSV, PLANS } from './plans.ts';
import { PRODUCTS, PRODUCTS_CSV } from './products.ts';
import { ACTIVITY, AUDIT } from './records.ts';

/** Every page of the screen. */
export const PAGES: readonly Page[] = [
  OVERVIEW,
  NEEDS,
  ORDERS,
  ORDERS_CSV,
  PRODUCTS,
  PRODUCTS_CSV,
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
