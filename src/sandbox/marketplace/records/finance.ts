import type { Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { refuse } from '../refusal.ts';
import { type Fields, without } from '../wire-values.ts';
import { createRecord, recordAnswer, recordsAnswer } from './crud.ts';
import { type Family, field, type RecordRow } from './family.ts';
import { listRecords } from './list.ts';
import { fieldsOf, findRecord } from './rows.ts';

/** Spec 2, Company (managed company). */
export const managedCompanies: Family = {
  name: 'managed-companies',
  id: 'uuid',
  initial: { has_linked_bank_account: false, cashback_invoice_count: 0, cashback_potential_earnings: 0 },
  searched: [field('dba'), field('marketplace_slug')],
  show: (_market, { dba, legal_entity, has_linked_bank_account }) => ({ dba, legal_entity, has_linked_bank_account }),
};

/** Spec 2, License, of a managed company or of one on the marketplace. */
export const companyLicenses: Family = {
  name: 'company-licenses',
  id: 'uuid',
  initial: { verification_status: 'active', type: 'medical' },
  searched: [field('number')],
  show: (_market, fields) => without(fields, new Set(['company'])),
};

/** Spec 2, Payment contract, between two companies that there are. */
export const paymentContracts: Family = {
  name: 'payment-contracts',
  id: 'uuid',
  param: 'contract_id',
  times: ['created_on', 'modified'],
  initial: {
    esign_id: null,
    default_flexible_payment_strategy: null,
    custom_direct_payment_term_type: null,
    custom_reverse_factor_auto_assignment: null,
  },
  refers: { buyer_id: managedCompanies.name, seller_id: managedCompanies.name },
  searched: [field('esign_id'), field('status')],
  show: (market, { buyer_id: buyer, seller_id: seller, ...fields }) => ({
    ...fields,
    buyer: partyOf(market, buyer),
    seller: partyOf(market, seller),
    contract_stats: { eligible_invoice_count: 0, funded_invoice_count: 0, invoice_count: 0 },
  }),
};

/** Spec 2, Create an invoice's recorded payment. */
export const invoicePayments: Family = { name: 'invoice-payments' };

export const FINANCE_FAMILIES = [managedCompanies, companyLicenses, paymentContracts, invoicePayments] as const;

export const financeHandlers: Readonly<Record<string, Handler>> = {
  'managed-companies.get-by-slug': (market, { params }) =>
    recordAnswer(market, managedCompanies, bySlug(market, params['marketplace_slug'])),
  'managed-companies.cashback-statistics': (market, { params }) => {
    const company = fieldsOf(bySlug(market, params['marketplace_slug']));
    const statistics = {
      buyer_cashback_invoice_count: company['cashback_invoice_count'],
      buyer_cashback_potential_earnings: company['cashback_potential_earnings'],
    };
    return { kind: 'entity', json: JSON.stringify(statistics) };
  },
  'managed-companies.list-licenses': (market, call) => {
    const id = String(call.params['id']);
    if (!findRecord(market, managedCompanies.name, id) && !findRecord(market, 'companies', id)) {
      throw refuse(404, 'Not found.');
    }
    const scope = [{ sql: `CAST(${field('company')} AS TEXT) = ?`, values: [id] }];
    return recordsAnswer(market, companyLicenses, listRecords(market, companyLicenses, call, scope));
  },
  'invoice-payments.create': (market, { body }) => {
    createRecord(market, invoicePayments, body);
    return { kind: 'entity', json: JSON.stringify(body) };
  },
};

function bySlug(market: Market, slug: unknown): RecordRow {
  const row = market.sql.get<RecordRow>(
    `SELECT * FROM records WHERE family = 'managed-companies' AND ${field('marketplace_slug')} = ?`,
    slug,
  );
  if (!row) throw refuse(404, 'Not found.');
  return row;
}

function partyOf(market: Market, id: unknown): Fields {
  const row = findRecord(market, managedCompanies.name, id);
  const { dba, marketplace_slug } = row ? fieldsOf(row) : {};
  return { id, dba, name: dba, marketplace_slug, status: 'not_onboarded' };
}
