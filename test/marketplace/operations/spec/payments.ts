import type { Spoken } from './notation.ts';
import { BY_ID, decimalText, IDENTIFIER, ORDERS, SEARCHED } from './shorthand.ts';

/** Spec 2, Payment contract. Every field of a change is optional. */
const contract = (required: '!' | '') => ({
  esign_id: 'text ..200 or null',
  status: 'text = active',
  [`buyer_id${required}`]: 'uuid',
  [`seller_id${required}`]: 'uuid',
  default_payment_program: 'do_not_process | flexible | direct | factoring | b2b = do_not_process',
  default_flexible_payment_strategy: 'factored | reverse_factored',
  custom_direct_payment_term_type: 'text 1..',
  custom_reverse_factor_auto_assignment: 'boolean or null',
});
const BY_CONTRACT = { 'contract_id!': IDENTIFIER };
const BY_SLUG = { 'marketplace_slug!': IDENTIFIER };

/** Spec 2, Discussion. */
const company = { 'id!': 'integer', 'name!': 'text' };
const discussion = (required: '!' | '') => ({
  [`topic${required}`]: 'text 1..',
  [`sender_company${required}`]: company,
  [`recipient_company${required}`]: company,
  creator: 'integer or null',
  [`first_message${required}`]: { 'message!': 'text' },
});

/** Spec 2, Payments and contracts; Discussions; Notifications, order payments, approval. */
export const PAYMENT_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'managed-companies.cashback-statistics': {
    call: 'GET /managed-companies/by-slug/{marketplace_slug}/cashback-statistics/ (assumed)',
    needs: null,
    path: BY_SLUG,
    answers: 'one',
  },
  'invoice-payments.create': {
    call: 'POST /payments/ (assumed)',
    needs: null,
    body: {
      'amount!': String.raw`text 1.. /^-?(?:\d+\.?\d*|\.\d+)$/`,
      'payment_date!': 'date',
      'payment_reason!':
        'invoice_purchase | reversal | adjustment | principal | extension_fee | factor_fee | direct_pay_fee | ' +
        'direct_pay_fee_reversal | direct_pay_fee_batch | cashback_reward | standard | ach_error | ' +
        'marketplace_payment | other | sell_through',
      'payment_method!': 'ach | wire | money_order | cash_pickup | check | other',
      check_number: 'text 1..',
      'source_id!': 'text 1..',
    },
    answers: 'one',
  },
  'managed-companies.list': {
    call: 'GET /managed-companies/ (assumed)',
    needs: null,
    query: SEARCHED,
    answers: 'page',
  },
  'managed-companies.get': {
    call: 'GET /managed-companies/{id}/ (assumed)',
    needs: null,
    path: { 'id!': 'uuid' },
    answers: 'one',
  },
  'managed-companies.get-by-slug': {
    call: 'GET /managed-companies/by-slug/{marketplace_slug}/ (assumed)',
    needs: null,
    path: BY_SLUG,
    answers: 'one',
  },
  'managed-companies.list-licenses': {
    call: 'GET /managed-companies/{id}/licenses/ (assumed)',
    needs: null,
    path: { 'id!': IDENTIFIER },
    query: SEARCHED,
    answers: 'page',
  },
  'payment-contracts.list': {
    call: 'GET /payment_contracts/ (assumed)',
    needs: null,
    query: SEARCHED,
    answers: 'page',
  },
  'payment-contracts.create': {
    call: 'POST /payment_contracts/ (assumed)',
    needs: null,
    body: contract('!'),
    answers: 'one',
  },
  'payment-contracts.get': {
    call: 'GET /payment_contracts/{contract_id}/ (assumed)',
    needs: null,
    path: BY_CONTRACT,
    answers: 'one',
  },
  'payment-contracts.replace': {
    call: 'PUT /payment_contracts/{contract_id}/ (assumed)',
    needs: null,
    path: BY_CONTRACT,
    body: contract('!'),
    answers: 'one',
  },
  'payment-contracts.patch': {
    call: 'PATCH /payment_contracts/{contract_id}/ (assumed)',
    needs: null,
    path: BY_CONTRACT,
    body: contract(''),
    answers: 'one',
  },

  'discussions.list': {
    call: 'GET /discussions/ (assumed)',
    needs: null,
    query: { ...SEARCHED, from_date: 'date', to_date: 'date', status: 'in_progress | completed' },
    answers: 'page',
  },
  'discussions.create': {
    call: 'POST /discussions/ (assumed)',
    needs: null,
    body: discussion('!'),
    answers: 'one',
  },
  'discussions.get': { call: 'GET /discussions/{id}/ (assumed)', needs: null, path: BY_ID, answers: 'one' },
  'discussions.replace': {
    call: 'PUT /discussions/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    body: discussion('!'),
    answers: 'one',
  },
  'discussions.patch': {
    call: 'PATCH /discussions/{id}/ (assumed)',
    needs: null,
    path: BY_ID,
    body: discussion(''),
    answers: 'one',
  },

  'notification-preference-groups.list': {
    call: 'GET /notification-preference-groups/ (assumed)',
    needs: null,
    query: SEARCHED,
    answers: 'page',
  },
  'notification-preference-groups.get': {
    call: 'GET /notification-preference-groups/{id}/ (assumed)',
    needs: null,
    path: { 'id!': IDENTIFIER },
    answers: 'one',
  },
  'notification-preferences.list': {
    call: 'GET /users/{user_id}/notification-preferences/ (assumed)',
    needs: null,
    path: { 'user_id!': IDENTIFIER },
    answers: 'array',
  },
  'notification-preferences.patch': {
    call: 'PATCH /users/{user_id}/notification-preferences/ (assumed)',
    needs: null,
    path: { 'user_id!': IDENTIFIER },
    body: [{ 'topic!': 'text', 'medium!': 'text', 'enabled_timestamp!': 'boolean' }],
    answers: 'one',
  },

  'order-payments.list': {
    call: 'GET /order-payments/',
    needs: ORDERS.read,
    query: { ...SEARCHED, created_date_from: 'date', created_date_to: 'date' },
    answers: 'page',
  },
  'order-payments.create': {
    call: 'POST /order-payments/',
    needs: ORDERS.write,
    body: {
      'order!': 'uuid',
      payment_date: 'date-time or null',
      'total!': decimalText(8, 2),
      payment_type:
        'other | cash | check | credit | trade | ach | wire | cashier | service_direct_payment | ' +
        'service_flexible_payment | service_financial',
    },
    answers: 'one',
  },
  'order-payments.get': {
    call: 'GET /order-payments/{id}/ (assumed)',
    needs: ORDERS.read,
    path: BY_ID,
    answers: 'one',
  },
  'purchase-orders.approve': {
    call: 'POST /poms/orders/approval/ (assumed)',
    needs: null,
    body: {
      order_id: 'integer',
      'purchase_order_number!': 'uuid',
      'status!': 'approved | rejected | completed | error',
      message: 'text 1..',
    },
    answers: 'one',
  },
};
