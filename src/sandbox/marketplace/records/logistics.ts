import { type Condition, severalOf } from '../list-query.ts';
import { listAnswer } from './crud.ts';
import { checkViewer, type Family, field, fieldIs, fieldsOf, findRecord, isCompany } from './family.ts';

/** Field -> the prefix of its default, before the record's id. */
const NUMBERS = { number: 'T-', invoice_number: 'INV-', mp_order_number: 'MP-', transport_order_id: '' } as const;
const numberSql = ([name, prefix]: readonly [string, string]) => `coalesce(${field(name)}, '${prefix}' || id)`;
const day =
  (...names: readonly string[]) =>
  (value: unknown): Condition => ({
    sql: `(${names.map((name) => `substr(${field(name)}, 1, 10) = ?`).join(' OR ')})`,
    values: names.map(() => value),
  });

/** Spec 2, Transport order. Lists omit the status `deleted`. */
const transportOrders: Family = {
  name: 'transport-orders',
  times: ['created_on', 'modified'],
  initial: { status: 'created', customer: {}, eligible_payment_methods: [] },
  searched: Object.entries(NUMBERS).map(numberSql),
  hidden: `${field('status')} = 'deleted'`,
  filters: {
    buyer: (value) => fieldIs('customer.name', value),
    delivery_date: day('requested_delivery_date', 'expected_delivery_datetime'),
    pickup_date: day('requested_pickup_date', 'expected_pickup_datetime'),
    requested_date: day('requested_delivery_date', 'requested_pickup_date'),
    order_invoice_number: (value) => ({
      sql: `${numberSql(['invoice_number', NUMBERS.invoice_number])} = ?`,
      values: [value],
    }),
    sort_by: () => null,
  },
  handlers: {
    list(market, call) {
      const { sort_by: sorts } = call.query;
      const [sorting = null] = sorts === undefined ? [] : severalOf(sorts);
      const ordering = call.window.ordering ?? (sorting as string | null);
      return listAnswer(market, transportOrders, { ...call, window: { ...call.window, ordering } });
    },
  },
  attributes: {
    display_delivery_date: `coalesce(${field('expected_delivery_datetime')}, ${field('requested_delivery_date')})`,
  },
  show: (_market, fields, { id }) => ({
    ...Object.fromEntries(Object.entries(NUMBERS).map(([name, prefix]) => [name, `${prefix}${id}`])),
    ...fields,
    display_delivery_date: fields['expected_delivery_datetime'] ?? fields['requested_delivery_date'] ?? null,
  }),
};

/** Spec 2, Transport partner: a company that transports for another. */
const transportPartners: Family = {
  name: 'transport-partners',
  refers: { transport_company_id: 'transport-companies', company_id: isCompany },
  searched: [field('transport_company_id')],
  show(market, { transport_company_id: transport, company_id: id = market.settings().sellerId }) {
    const company = findRecord(market, 'companies', id);
    const carrier = findRecord(market, 'transport-companies', transport);
    return {
      company: { id, ...(company && fieldsOf(company)) },
      transport_company: { transport_company_id: transport, ...(carrier && fieldsOf(carrier)) },
    };
  },
};

/** Spec 2, Vehicle with state. */
const vehicles: Family = {
  name: 'vehicles',
  initial: {
    make: null,
    model_year: null,
    model_name: null,
    license_number: null,
    capacity: null,
    has_air_conditioner: false,
  },
  refers: { state_id: 'states' },
  searched: ['make', 'model_name', 'license_number'].map(field),
  show(market, { state_id: id, ...fields }) {
    const state = findRecord(market, 'states', id);
    return { ...fields, state: state === undefined ? null : { id, ...fieldsOf(state) } };
  },
};

export const LOGISTICS_FAMILIES: readonly Family[] = [
  transportOrders,
  { name: 'transport-companies' },
  transportPartners,
  { name: 'states' },
  vehicles,
  // Spec 2, Distribution zone.
  {
    name: 'distribution-zones',
    refers: { owner_id: isCompany },
    filters: { company_id: (id, _all, market) => fieldIs('owner_id', checkViewer(market, id)) },
  },
];
