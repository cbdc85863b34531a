import type { Store } from '../store.ts';
import { answerWrites } from './answers.ts';
import { assignmentReads, assignmentWrites } from './assignments.ts';
import { auditReads, auditWrites } from './audit.ts';
import { baseReads, baseWrites } from './bases.ts';
import { batchReads, batchWrites, erpLotReads, erpLotWrites } from './batches.ts';
import { brakeDecisionWrites } from './brake-decisions.ts';
import { brakeReads, brakeSteps, brakeWrites } from './brakes.ts';
import { browseReads } from './browse.ts';
import { setBackWrites } from './clock-set-back.ts';
import { cursorNotes, cursorReads, cursorWrites, factReads, factWrites } from './cursors.ts';
import { customerReads, customerWrites, erpCustomerReads, erpCustomerWrites } from './customers.ts';
import type { Database } from './database.ts';
import { doubtReads, doubtWrites } from './doubts.ts';
import { driftReads, driftWrites } from './drifts.ts';
import { entityReads } from './entities.ts';
import { erpOrderReads, erpOrderWrites } from './erp-orders.ts';
import { erpProductReads, erpProductWrites } from './erp-products.ts';
import { erpStockReads, erpStockWrites } from './erp-stock.ts';
import { failedJobReads, failedJobWrites } from './failed-jobs.ts';
import { formerSkuReads } from './former-skus.ts';
import { goneReads, goneWrites } from './gone.ts';
import { imageReads, imageWrites } from './images.ts';
import { inboxReads, inboxWrites } from './inbox.ts';
import { intentReads, intentSteps, intentWrites } from './intents.ts';
import { invalidRowReads, invalidRowWrites } from './invalid-rows.ts';
import { journalNotes, journalReads, journalWrites } from './journal.ts';
import { type Fence, fenced, leaseSteps } from './leases.ts';
import { linkSteps, linkWrites } from './links.ts';
import { mappingReads, mappingWrites } from './mappings.ts';
import { measurementReads, measurementWrites } from './measurements.ts';
import { nameReads, nameWrites } from './names.ts';
import { noticeReads, noticeWrites } from './notices.ts';
import { observeReads } from './observe.ts';
import { orderReads, orderWrites } from './orders.ts';
import { opener } from './part.ts';
import { pauseReads, pauseWrites } from './pauses.ts';
import { erpPaymentReads, erpPaymentWrites, paymentReads, paymentWrites } from './payments.ts';
import { personalReads, personalWrites } from './personal.ts';
import { productReads, productWrites } from './products.ts';
import { reconcileReads, reconcileWrites } from './reconciles.ts';
import { retentionReads, retentionWrites } from './retention.ts';
import { sessionReads, sessionWrites } from './sessions.ts';
import { stockHistoryReads, stockHistoryWrites } from './stock-history.ts';
import { strategyReads, strategyWrites } from './strategies.ts';
import { tokenReads, tokenWrites } from './tokens.ts';
import { transportReads, transportWrites } from './transports.ts';
import { unlinkedReads, unlinkedWrites } from './unlinked.ts';
import { unseenSaleReads, unseenSaleWrites } from './unseen-sales.ts';
import { workReads, workWrites } from './work.ts';
import { workCountReads } from './work-counts.ts';
import { workNotes } from './work-results.ts';

/**
 * @param now epoch milliseconds
 * @param fence a lease: each write is refused with LeaseLost once it is over
 */
export function createStore(connected: Database, now: () => number, fence?: Fence): Store {
  const database = fence === undefined ? connected : fenced(connected, now, fence);
  const part = opener(database, now, connected);
  return {
    observe: part(observeReads, {}),
    cursors: part(cursorReads, cursorWrites, cursorNotes),
    facts: part(factReads, factWrites),
    orders: part(orderReads, orderWrites),
    bases: part(baseReads, baseWrites),
    products: part(productReads, productWrites),
    erp: {
      ...part(erpProductReads, erpProductWrites),
      ...part(formerSkuReads, {}),
      ...part(erpStockReads, erpStockWrites),
      ...part(erpLotReads, erpLotWrites),
      ...part(erpOrderReads, erpOrderWrites),
      ...part(erpCustomerReads, erpCustomerWrites),
      ...part(erpPaymentReads, erpPaymentWrites),
    },
    transports: part(transportReads, transportWrites),
    batches: part(batchReads, batchWrites),
    payments: part(paymentReads, paymentWrites),
    customers: part(customerReads, customerWrites),
    personal: { ...part(personalReads, personalWrites), ...part(retentionReads, retentionWrites) },
    names: part(nameReads, nameWrites),
    images: part(imageReads, imageWrites),
    entities: part(entityReads, {}),
    mappings: part(mappingReads, mappingWrites),
    links: { ...part({}, linkWrites), ...linkSteps(database, now) },
    unlinked: part(unlinkedReads, unlinkedWrites),
    intents: { ...part(intentReads, intentWrites), ...intentSteps(database, now) },
    doubts: part(doubtReads, doubtWrites),
    reconciles: part(reconcileReads, reconcileWrites),
    measurements: part(measurementReads, measurementWrites),
    assignments: part(assignmentReads, assignmentWrites),
    inbox: part(inboxReads, inboxWrites),
    work: {
      ...part(workReads, workWrites, workNotes),
      ...part(workCountReads, {}),
      ...part(failedJobReads, failedJobWrites),
    },
    journal: part(journalReads, journalWrites, journalNotes),
    audit: part(auditReads, auditWrites),
    brakes: {
      ...part(brakeReads, brakeWrites),
      ...part({}, brakeDecisionWrites),
      ...brakeSteps(database),
    },
    pauses: part(pauseReads, pauseWrites),
    strategies: part(strategyReads, strategyWrites),
    invalidRows: part(invalidRowReads, invalidRowWrites),
    gone: part(goneReads, goneWrites),
    drifts: part(driftReads, driftWrites),
    unseenSales: part(unseenSaleReads, unseenSaleWrites),
    history: part(stockHistoryReads, stockHistoryWrites),
    tokens: part(tokenReads, tokenWrites),
    notices: part(noticeReads, noticeWrites),
    sessions: part(sessionReads, sessionWrites),
    answers: part({}, answerWrites),
    leases: leaseSteps(connected, now),
    browse: part(browseReads, {}),
    ...part({}, setBackWrites),
  };
}
