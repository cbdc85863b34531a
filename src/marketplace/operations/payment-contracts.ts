import { z } from 'zod';
import { byDefault, nonEmpty, nullableText, pathText } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime } from './wire.ts';

/** Spec 2, Resources, Payment contract, and Endpoints, Create a payment contract. */
const body = z.strictObject({
  esign_id: nullableText(200),
  status: byDefault(z.string(), 'active'),
  buyer_id: z.guid('expected a UUID'),
  seller_id: z.guid('expected a UUID'),
  default_payment_program: byDefault(
    z.enum(['do_not_process', 'flexible', 'direct', 'factoring', 'b2b']),
    'do_not_process',
  ),
  default_flexible_payment_strategy: z.enum(['factored', 'reverse_factored']).optional(),
  custom_direct_payment_term_type: nonEmpty.optional(),
  custom_reverse_factor_auto_assignment: z.boolean().nullish(),
});

const party = z.looseObject({ id: z.string().nullish(), dba: z.string().nullish(), name: z.string().nullish() });
const contract = z.looseObject({
  id: z.string(),
  status: z.string().nullish(),
  esign_id: z.string().nullish(),
  buyer: party.nullish(),
  seller: party.nullish(),
  contract_stats: z.looseObject({}).nullish(),
  created_on: wireDateTime.nullish(),
  modified: wireDateTime.nullish(),
});
const echo = contract.partial().nullable();

const common = { section: '2, Endpoints, Payments and contracts', provenance: 'assumed', permission: null } as const;
const BY_CONTRACT = z.strictObject({ contract_id: pathText });

export const paymentContractOperations = {
  'payment-contracts.list': operation({
    ...common,
    id: 'payment-contracts.list',
    summary: 'List the payment contracts',
    method: 'GET',
    path: '/payment_contracts/',
    query: z.strictObject(SEARCH_QUERY),
    answer: contract,
    paging: 'page',
  }),
  'payment-contracts.create': operation({
    ...common,
    id: 'payment-contracts.create',
    summary: 'Create a payment contract between a buyer and a seller',
    method: 'POST',
    path: '/payment_contracts/',
    body,
    answer: contract.pick({ id: true }),
  }),
  'payment-contracts.get': operation({
    ...common,
    id: 'payment-contracts.get',
    summary: 'Get one payment contract',
    method: 'GET',
    path: '/payment_contracts/{contract_id}/',
    pathParams: BY_CONTRACT,
    answer: contract,
  }),
  'payment-contracts.replace': operation({
    ...common,
    id: 'payment-contracts.replace',
    summary: 'Replace a payment contract',
    method: 'PUT',
    path: '/payment_contracts/{contract_id}/',
    pathParams: BY_CONTRACT,
    body,
    answer: echo,
  }),
  'payment-contracts.patch': operation({
    ...common,
    id: 'payment-contracts.patch',
    summary: 'Change a payment contract',
    method: 'PATCH',
    path: '/payment_contracts/{contract_id}/',
    pathParams: BY_CONTRACT,
    body: body.partial(),
    answer: echo,
  }),
} as const;
