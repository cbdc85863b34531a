import { expect, test } from 'vitest';
import { parseJson } from '../../../src/http/json.ts';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';

/* Every record with the fields, and every value of an enumeration, as the two documents show them. */

const AT = '2026-01-02T03:04:05.123456Z';
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const MONEY = { amount: 1.5, currency: 'USD' };
const MADE = { created_date: AT, modified_date: AT };
const NAMED = { id: 1, name: 'One' };
const ADDRESS = { address: '1 High Street', unit_number: '', city: 'Reno', county: '', state: 'NV', zipcode: '89501' };

const license = {
  id: UUID,
  number: 'L-1',
  state: { id: '5', name: 'Nevada' },
  verification_date: AT,
  issued_date: AT,
  expiration_date: AT,
  verification_status: 'active',
  type: 'medical',
};
const party = {
  id: UUID,
  dba: 'One',
  name: 'One',
  status: 'not_onboarded',
  type: 'seller',
  collection_day_preference: 'monday',
  licenses: [license],
  legal_entity: {},
  marketplace_id: 5,
  b2b_enabled: true,
  flexible_enabled: false,
  created_on: AT,
  modified: AT,
  available_terms: [],
};
const status = { id: 1, state: 'New', order: 1, description: null, owner: null, is_stock: true, hex_color: null };
const message = {
  id: 1,
  message: 'Hello',
  created_on: AT,
  read_by_sender: AT,
  read_by_recipient: null,
  author: { id: 1, company: { ...NAMED, image_url: '' }, user: 1, name: 'Ada', email: 'ada@one.example' },
};
const held = { product_id: 1, facility_id: 1, batch_id: 1, quantity: '1.00', created_at: AT };
const measured = {
  on_hand_quantity: '6.00',
  available_quantity: '.5',
  reserved_quantity: '1',
  allocated_quantity: '1',
  held_quantity: '1',
  archived_quantity: '0',
  updated_at: AT,
};
const terms = { expiration_date: AT, call_to_action: 'Buy', quantity: 1.5 };
const assignment = {
  seller_id: 1,
  product_id: 1,
  is_exclusive: false,
  assigned_buyers: [{ buyer_id: 1, ...terms }],
  assigned_groups: [{ customer_group_id: 1, ...terms }],
};
const tile = {
  id: 1,
  name: 'Kush',
  company_id: 1,
  company_name: 'One',
  enable_vendor_menu: true,
  slug: 'kush',
  featured: true,
  spotlight_badges: ['deal'],
  display_price: '1',
  unit_price: '1',
  base_unit_price: '1',
  minimum_order: '1',
  sale_or_deal_price: 1.5,
  discount_percent: 5,
  sponsorship: {},
  sold_in_bulk: false,
  unit_multiplier: 1,
  pricing: { wholesale_price: MONEY, sale_price: MONEY, effective_price: MONEY, price_per_unit: MONEY },
  sub_category: { ...NAMED, base_unit_of_measure: 'gram', base_unit_of_measure_short_name: 'g' },
};
const each = (field: string, values: string, record: object) =>
  values.split(' ').map((value) => ({ ...record, [field]: value }));

const ANSWERS: Readonly<Record<string, unknown>> = {
  'managed-companies.get': {
    id: UUID,
    dba: 'One',
    has_linked_bank_account: false,
    legal_entity: { id: UUID, name: 'One', street_address: '1 High Street' },
  },
  'managed-companies.list-licenses': license,
  'managed-companies.cashback-statistics': {
    buyer_cashback_invoice_count: 1,
    buyer_cashback_potential_earnings: 1.5,
  },
  'payment-contracts.get': {
    id: UUID,
    esign_id: null,
    status: 'active',
    created_on: AT,
    modified: AT,
    buyer: party,
    seller: party,
    contract_stats: { invoice_count: 1, invoice_total: 1.5 },
    default_payment_program: 'b2b',
    custom_reverse_factor_auto_assignment: null,
  },
  'customer-groups.get': { ...NAMED, ...MADE, description: null, customers: [1], status: 'archived' },
  'brands.get': { ...NAMED, sponsorship: { rank: 1, creative: {}, items: [], placement: { id: 1 } } },
  'shop-brands.get': {
    count: 1,
    content: {
      sponsorships: { banners: [{ sponsorship: {} }], listing: [{ sponsorship: {}, resource: {} }], skyscrapers: [{}] },
      collection: [{ resource_id: 1, product_categories: ['flower'] }],
    },
  },
  'sponsorship-content.get': { content: { sponsorships: { banners: [], listing: [], skyscrapers: [] } } },
  'product-images.get': { id: 1, ...MADE, product: 1, position: 0, crop_x: null, crop_y: 0, crop_w: 2_147_483_647 },
  'product-images.list': { id: 1, ...MADE, product: 1, position: 0 },
  'discussions.get': each('status', 'in_progress completed', {
    id: 1,
    topic: 'Prices',
    creator: 1,
    latest_message: message,
    sender_company: { ...NAMED, image_url: '' },
    recipient_company: { ...NAMED, image_url: '' },
  }),
  'contacts.get': {
    id: 1,
    ...MADE,
    owner: 1,
    first_name: 'Ada',
    last_name: 'L',
    email: '',
    secondary_email: '',
    role: null,
    description: null,
    phone: null,
    phone_extension: '',
    secondary_phone: '7755550100',
    delete: false,
  },
  'customer-statuses.get': status,
  'customers.get': {
    ...NAMED,
    ...MADE,
    owner_id: 1,
    managers: [1],
    phone: null,
    next_contact_date: null,
    tier: null,
    shipping_charge: '.5',
    discount_percent: '',
    external_ids: { erp: 'C-1' },
    dba: 'One',
    currency: 'USD',
    corporate_address: ADDRESS,
    delivery_address: ADDRESS,
    service_last_viewed: AT,
    service_source: false,
    available_payment_options: [{ id: 1, is_default: true }],
    service_zone: NAMED,
    license_type: 1,
    status,
  },
  'customers.set-delivery-address': ADDRESS,
  'transport-orders.get': each('status', 'uploaded created assigned planned shipped delivered', {
    number: 'T-1',
    invoice_number: 'I-1',
    mp_order_number: 'M-1',
    transport_order_id: '1',
    created_on: AT,
    payment_expected: MONEY,
    customer: {},
    pickup_address: {},
    destination: {},
    tracking_transfer: {},
    requested_pickup_date: '2026-01-02',
    expected_pickup_datetime: AT,
    display_delivery_date: AT,
    pickup_driver: { id: 1, is_active: true },
    additional_pickup_drivers: [{}],
    pickup_vehicle: { id: 1 },
    payment_method: { id: 1 },
    eligible_payment_methods: ['cash'],
    collected_payment_amount: '1',
  }),
  'transport-partners.list': {
    id: 1,
    company: { ...NAMED, buyer: true, available_languages: [] },
    transport_company: { transport_company_id: 1, name: 'One', state: 'NV' },
  },
  'vehicles.list': {
    id: 1,
    make: null,
    model_year: 2020,
    model_name: 'Van',
    license_number: 'V-1',
    capacity: 1,
    has_air_conditioner: true,
    state: { id: 1, abbr: 'NV', name: 'Nevada', country: NAMED },
  },
  'distribution-zones.get': {
    ...NAMED,
    is_active: true,
    facilities: [NAMED],
    zip_codes: [{ name: 'Reno', value: '89501', polygon: [[-119.8, 39.5]] }],
  },
  'inventory.buyer-allocations': { ...held, group_ids: [1], buyer_ids: [1] },
  'inventory.order-reservations': [
    { ...held, allocated_quantity: '1', fulfilled_quantity: '.5', order_id: UUID },
    { ...held, allocated_quantity: '1', fulfilled_quantity: '1', order_id: 1 },
  ],
  'inventory.measurements-by-batch': { batch_id: 1, ...measured },
  'inventory.measurements-by-product-facility-batch': { product_id: 1, facility_id: 1, batch_id: 1, ...measured },
  'inventory.command-status': {
    command_id: 1,
    task_id: 't',
    result_status: 'Pending',
    result_on: AT,
    command_type: 'putaway',
    result_metadata: { note: 'none' },
  },
  'inventory.putaway': { command_id: 1, task_id: 't' },
  'notification-preference-groups.get': {
    name: 'Orders',
    display_description: 'Orders',
    items: [{ name: 'New', default_value: true, description: 'New orders', available_medium: ['email'] }],
  },
  'notification-preferences.list': { topic: 'new', medium: 'email', enabled_timestamp: AT },
  'order-payments.get': each(
    'payment_type',
    'other cash check credit trade ach wire cashier service_direct_payment service_flexible_payment service_financial',
    { id: 1, ...MADE, order: UUID, payment_date: null, total: '-.5', currency: 'USD', customer: NAMED },
  ),
  'purchase-orders.approve': { order_id: 1, purchase_order_number: UUID, status: 'error', message: 'No' },
  'products.dashboard': tile,
  'products.recommendations': { ...tile, score: 0.5, is_on_purchase_list: true },
  'products.list-with-assignments': {
    ...NAMED,
    created_on: AT,
    last_edit: AT,
    display_name: 'Kush',
    sku: 'A-1',
    description: '',
    listing_state: 'Available',
    wholesale_price: MONEY,
    available_inventory: '5.00',
    children_count: 0,
    price_schedule_price: { amount: '1', currency: 'USD' },
    images: [{}],
    inventory_management: '1',
    assignments: [assignment],
  },
  'product-assignments.list': assignment,
  'products.list': {
    ...NAMED,
    sku: 'A-1',
    description: '',
    quantity: 5.5,
    reserved_qty: 1,
    available_inventory: 4.5,
    wholesale_price: MONEY,
    unit_multiplier: 12,
    modified: AT,
  },
  'product-categories.get': { ...NAMED, slug: 'flower', description: '' },
  'dosage-units.get': { ...NAMED, ...MADE, unit: 'mg', description: '' },
  'listing-states.list': { value: 'Available', display_value: 'Available' },
  'product-lines.get': { ...NAMED, ...MADE, display_name: 'One', brand: NAMED, menu_position: null, products: [NAMED] },
  'promotions.list': each('status', 'Pending Approved Completed', {
    id: 1,
    ads_provider_id: 'a',
    period: 'Weekly',
    start_date: '2026-01-02',
    end_date: null,
    max_cpc: MONEY,
    max_budget: MONEY,
    budget_per_period: MONEY,
    brand: NAMED,
    company: NAMED,
    products: [1],
  }),
  'products.bulk-update': {
    updated: 1,
    expected: 2,
    errors: { retail_price: [{ message: 'No', products: [{ ...NAMED, display_name: 'One' }] }] },
  },
  'orders.list': each('status', 'Submitted Accepted Fulfilled Shipped Complete Rejected Backorder Canceled', {
    number: UUID,
    seller: 1,
    customer: { id: 1 },
    discount_amount: 1.5,
    external_id: 'E-1',
    modified: AT,
    frozen_data: [{}],
    line_items: [
      {
        id: 1,
        product: 1,
        quantity: '2.0000',
        ordered_unit_price: MONEY,
        sale_price: null,
        sales_price: MONEY,
        wholesale_price: MONEY,
        unit_multiplier: 12,
      },
    ],
  }),
};

const table: Readonly<Record<string, Operation>> = OPERATIONS;

test.each(Object.entries(ANSWERS))('%s reads the answer of the documents', (id, shown) => {
  for (const record of [shown].flat()) {
    const { error } = table[id]?.answer.safeParse(parseJson(JSON.stringify(record))) ?? {};
    expect(error?.issues ?? []).toEqual([]);
  }
});
