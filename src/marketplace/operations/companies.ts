import { z } from 'zod';
import { operations, records } from './define.ts';
import { byDefault, eachField, nonEmpty, nullableText, pathText, shown, wireDate } from './fields.ts';
import { SEARCH_QUERY } from './operation.ts';
import { shownDecimal } from './wire.ts';

/** Spec 2, Resources, Company (managed company) and Legal entity. */
const company = z.looseObject({
  id: z.string(),
  ...shown.texts('dba'),
  legal_entity: z.looseObject(shown.texts('id', 'name')).nullish(),
  ...shown.flags('has_linked_bank_account'),
});

/** Spec 2, Resources, License. */
const license = z.looseObject({
  id: z.string(),
  ...shown.texts('number', 'verification_status', 'type'),
  state: z.looseObject(shown.texts('id', 'name')).nullish(),
  ...shown.times('verification_date', 'issued_date', 'expiration_date'),
});

/** Spec 2, Resources, Cashback statistics. */
const cashback = z.looseObject({
  buyer_cashback_invoice_count: z.int(),
  buyer_cashback_potential_earnings: shownDecimal,
});

/** Spec 2, Resources, Payment contract, and Endpoints, Create a payment contract. */
const contractBody = z.strictObject({
  esign_id: nullableText(200),
  status: byDefault(z.string(), 'active'),
  ...eachField(z.guid('expected a UUID'), 'buyer_id', 'seller_id'),
  default_payment_program: byDefault(
    z.enum(['do_not_process', 'flexible', 'direct', 'factoring', 'b2b']),
    'do_not_process',
  ),
  default_flexible_payment_strategy: z.enum(['factored', 'reverse_factored']).optional(),
  custom_direct_payment_term_type: nonEmpty.optional(),
  custom_reverse_factor_auto_assignment: z.boolean().nullish(),
});

const contract = z.looseObject({
  id: z.string(),
  ...shown.texts('status', 'esign_id'),
  ...eachField(z.looseObject(shown.texts('id', 'dba', 'name')).nullish(), 'buyer', 'seller'),
  contract_stats: z.looseObject({}).nullish(),
  ...shown.times('created_on', 'modified'),
});

/** Spec 2, Endpoints, Create an invoice's recorded payment. */
const invoicePayment = z.strictObject({
  /** In US dollars. */
  amount: nonEmpty.regex(/^-?(?:\d+\.?\d*|\.\d+)$/, 'expected an amount in US dollars, such as 12.50'),
  payment_date: wireDate,
  payment_reason: z.enum([
    'invoice_purchase',
    'reversal',
    'adjustment',
    'principal',
    'extension_fee',
    'factor_fee',
    'direct_pay_fee',
    'direct_pay_fee_reversal',
    'direct_pay_fee_batch',
    'cashback_reward',
    'standard',
    'ach_error',
    'marketplace_payment',
    'other',
    'sell_through',
  ]),
  payment_method: z.enum(['ach', 'wire', 'money_order', 'cash_pickup', 'check', 'other']),
  /** If the method is check. */
  check_number: nonEmpty.optional(),
  /** The payment's id in the caller's system. */
  source_id: nonEmpty,
});

const family = { section: '2, Endpoints, Payments and contracts' } as const;
const everybody = ['Orders', 'Products', 'Customers'] as const;
const BARE = { section: '1, Authentication, Permissions', needs: everybody } as const;

export const companyOperations = {
  ...records('companies', ['list', 'get'], { ...BARE, one: 'company', many: 'companies' }),
  ...records('company-staff', ['list', 'get'], {
    ...BARE,
    one: 'member of the staff',
    many: 'staff of the company',
  }),
  ...records('managed-companies', ['list', 'get'], {
    ...family,
    one: 'managed company by its id',
    many: 'companies that the caller administers',
    key: z.strictObject({ id: z.guid('expected a UUID') }),
    row: company,
  }),
  ...operations(family, {
    'managed-companies.get-by-slug': {
      call: 'GET /managed-companies/by-slug/{marketplace_slug}/',
      summary: 'Get one managed company by its name on the marketplace',
      params: z.strictObject({ marketplace_slug: pathText }),
      answer: company,
    },
    'managed-companies.cashback-statistics': {
      call: 'GET /managed-companies/by-slug/{marketplace_slug}/cashback-statistics/',
      summary: 'Get the cashback that a company has and may earn',
      params: z.strictObject({ marketplace_slug: pathText }),
      answer: cashback,
    },
    'managed-companies.list-licenses': {
      call: 'GET /managed-companies/{id}/licenses/',
      summary: 'List the licenses of a company',
      params: z.strictObject({ id: pathText }),
      query: SEARCH_QUERY,
      answer: license,
      paging: 'page',
    },
    'invoice-payments.create': {
      call: 'POST /payments/',
      summary: 'Record a payment of an invoice',
      body: invoicePayment.refine(
        (payment) => payment.payment_method !== 'check' || payment.check_number !== undefined,
        { path: ['check_number'], message: 'expected the number of the check' },
      ),
      answer: z.looseObject({}).nullable(),
    },
  }),
  ...records('payment-contracts', ['list', 'create', 'get', 'replace', 'patch'], {
    ...family,
    path: '/payment_contracts/',
    one: 'payment contract',
    key: z.strictObject({ contract_id: pathText }),
    row: contract,
    body: contractBody,
    summaries: { create: 'Create a payment contract between a buyer and a seller' },
  }),
} as const;
