import { erp, on } from './entry.ts';

export const TRANSPORT_CODES = on('transports', {
  'erp-takes-no-transports': erp(
    ({ erpOrder }) =>
      `The ERP does not say that its orders keep what became of their transports, and order ${erpOrder} has one`,
    'Have the ERP answer "can": ["transports"] to /v1/ping once it takes them, or set orders.transports: off.',
    { erpOrder: 'SO-17' },
  ),
});
