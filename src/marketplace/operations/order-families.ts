import { bareFamily } from './bare-family.ts';

const eventLogs = bareFamily('order-event-logs', ['Orders'], { one: 'event of an order', many: 'events of orders' });
const salesReps = bareFamily('order-sales-reps', ['Orders'], {
  one: 'sales representative of an order',
  many: 'sales representatives of orders',
});
const statuses = bareFamily('order-statuses', ['Orders'], { one: 'order status', many: 'order statuses' });
const promocodes = bareFamily('promocodes', ['Orders'], { one: 'promocode', many: 'promocodes' });
const reports = bareFamily('reports', ['Orders'], { one: 'report', many: 'reports' });

/** The methods that spec 1's table of permissions grants to Orders. */
export const orderFamilyOperations = {
  'order-event-logs.list': eventLogs.list,
  'order-event-logs.get': eventLogs.get,
  'order-sales-reps.list': salesReps.list,
  'order-sales-reps.get': salesReps.get,
  'order-sales-reps.create': salesReps.create,
  'order-sales-reps.delete': salesReps.delete,
  'order-statuses.list': statuses.list,
  'order-statuses.get': statuses.get,
  'promocodes.list': promocodes.list,
  'promocodes.get': promocodes.get,
  'promocodes.create': promocodes.create,
  'promocodes.patch': promocodes.patch,
  'promocodes.delete': promocodes.delete,
  'reports.list': reports.list,
  'reports.get': reports.get,
  'reports.create': reports.create,
  'reports.patch': reports.patch,
  'reports.delete': reports.delete,
} as const;
