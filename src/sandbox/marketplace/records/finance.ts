import { entity } from '../call.ts';
import type { Market } from '../market.ts';
import { type Fields, refuse, without } from '../wire-values.ts';
import { createRecord, listAnswer, recordAnswer } from './crud.ts';
import { type Family, field, fieldsOf, findRecord, type RecordRow } from './family.ts';

/** Spec 2, Company (managed company). */
const managedCompanies: Family = {
  name: 'managed-companies',
  id: 'uuid',
  initial: { has_linked_bank_account: false, cashback_invoice_count: 0, cashback_potential_earnings: 0 },
  searched: [field('dba'), field('marketplace_slug')],
  handlers: {
    'get-by-slug': (market, { params }) =>
      recordAnswer(market, managedCompanies, bySlug(market, params['marketplace_slug'])),
    'cashback-statistics': (market, { params }) => {
      const company = fieldsOf(bySlug(market, params['marketplace_slug']));
      return entity({
        buyer_cashback_invoice_count: company['cashback_invoice_count'],
        buyer_cashback_potential_earnings: company['cashback_potential_earnings'],
      });
    },
    'list-licenses': (market, call) => {
      const id = String(call.params['id']);
      if (!findRecord(market, managedCompanies.name, id) && !findRecord(market, 'companies', id)) {
        throw refuse(404, 'Not found.');
      }
      return listAnswer(market, companyLicenses, call, [
        { sql: `CAST(${field('company')} AS TEXT) = ?`, values: [id] },
      ]);
    },
  },
  show: (_market, { dba, legal_entity, has_linked_bank_account }) => ({ dba, legal_entity, has_linked_bank_account }),
};

/** Spec 2, License: of a managed company or one on the marketplace. */
const companyLicenses: Family = {
  name: 'company-licenses',
  id: 'uuid',
  initial: { verification_status: 'active', type: 'medical' },
  searched: [field('number')],
  show: (_market, fields) => without(fields, new Set(['company'])),
};

/** Spec 2, Payment contract: between two existing companies. */
const paymentContracts: Family = {
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
const invoicePayments: Family = {
  name: 'invoice-payments',
  handlers: {
    create(market, { body }) {
      createRecord(market, invoicePayments, body);
      return entity(body);
    },
  },
};

export const FINANCE_FAMILIES: readonly Family[] = [
  managedCompanies,
  companyLicenses,
  paymentContracts,
  invoicePayments,
];

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
