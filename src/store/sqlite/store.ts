import { alikeStore } from './alike-customers.ts';
import { auditStore } from './audit.ts';
import { brakeDecisionStore } from './brake-decisions.ts';
import { brakeStore } from './brakes.ts';
import { cursorStore, factStore } from './cursors.ts';
import { customerStore } from './customers.ts';
import type { Database } from './database.ts';
import { doubtStore } from './doubts.ts';
import { driftStore } from './drifts.ts';
import { erpCustomerStore } from './erp-customers.ts';
import { erpOrderStore } from './erp-orders.ts';
import { erpPaymentStore } from './erp-payments.ts';
import { erpProductStore } from './erp-products.ts';
import { erpStockStore } from './erp-stock.ts';
import { failedJobStore } from './failed-jobs.ts';
import { formerSkuStore } from './former-skus.ts';
import { imageStore } from './images.ts';
import { inboxStore } from './inbox.ts';
import { intentStore } from './intents.ts';
import { journalStore } from './journal.ts';
import { linkStore } from './links.ts';
import { mappingStore } from './mappings.ts';
import { measurementStore } from './measurements.ts';
import { misfitStore } from './misfits.ts';
import { nameStore } from './names.ts';
import { orderStore } from './orders.ts';
import { pauseStore } from './pauses.ts';
import { paymentStore } from './payments.ts';
import { productStore } from './products.ts';
import { reconcileStore } from './reconciles.ts';
import { setBackStore } from './set-back.ts';
import { stockHistoryStore } from './stock-history.ts';
import { strategyStore } from './strategies.ts';
import { unseenSaleStore } from './unseen-sales.ts';
import { workCounts, workStore } from './work.ts';

/**
 * Everything that is remembered. Each function is one transaction; they are async in their signatures so that another
 * database can stand behind them.
 * @param now epoch milliseconds
 */
export function createStore(db: Database, now: () => number) {
  return {
    cursors: cursorStore(db, now),
    facts: factStore(db, now),
    orders: orderStore(db, now),
    products: productStore(db, now),
    erp: {
      ...erpProductStore(db, now),
      ...formerSkuStore(db),
      ...erpStockStore(db, now),
      ...erpOrderStore(db, now),
      ...erpCustomerStore(db, now),
      ...erpPaymentStore(db, now),
    },
    payments: paymentStore(db, now),
    customers: { ...customerStore(db, now), ...alikeStore(db) },
    names: nameStore(db),
    images: imageStore(db, now),
    mappings: mappingStore(db, now),
    links: linkStore(db, now),
    intents: intentStore(db, now),
    doubts: doubtStore(db, now),
    reconciles: reconcileStore(db, now),
    measurements: measurementStore(db, now),
    inbox: inboxStore(db, now),
    work: { ...workStore(db, now), ...workCounts(db), ...failedJobStore(db, now) },
    journal: journalStore(db, now),
    audit: auditStore(db, now),
    brakes: { ...brakeStore(db, now), ...brakeDecisionStore(db, now) },
    pauses: pauseStore(db, now),
    strategies: strategyStore(db, now),
    misfits: misfitStore(db, now),
    drifts: driftStore(db, now),
    unseenSales: unseenSaleStore(db, now),
    history: stockHistoryStore(db),
    ...setBackStore(db, now),
  };
}

export type Store = ReturnType<typeof createStore>;
