import type { SetBackStore } from '../work.ts';
import { findFact, putFact } from './cursors.ts';
import { ALL_READ } from './measurements.ts';
import { and, eq, gt, inArray } from './orm.ts';
import type { Writes } from './part.ts';
import { erpImages } from './tables/erp.ts';
import { measurements } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { journal } from './tables/record.ts';
import { intents, reconciles, work } from './tables/work.ts';

/** Fact of the installation: the start of the machine since which its notes are complete. */
export const BOOT = 'boot';

export const setBackWrites = {
  restampFuture({ tx, nowMs }) {
    tx.update(work).set({ notBeforeMs: 0 }).where(gt(work.notBeforeMs, nowMs)).run();
    tx.update(intents).set({ sentAtMs: nowMs }).where(gt(intents.sentAtMs, nowMs)).run();
    tx.update(intents).set({ leftAtMs: nowMs }).where(gt(intents.leftAtMs, nowMs)).run();
    tx.update(intents).set({ settledAtMs: nowMs }).where(gt(intents.settledAtMs, nowMs)).run();
    tx.update(reconciles).set({ lookedAtMs: nowMs }).where(gt(reconciles.lookedAtMs, nowMs)).run();
    tx.update(erpImages).set({ checkedAtMs: nowMs }).where(gt(erpImages.checkedAtMs, nowMs)).run();
    // The journal is long: the entries are found by an index alone.
    const later = tx.select({ id: journal.id }).from(journal).where(gt(journal.atMs, nowMs));
    const mayStillCome = inArray(journal.outcome, ['sent', 'unknown']);
    tx.update(journal)
      .set({ atMs: nowMs })
      .where(and(inArray(journal.id, later), mayStillCome))
      .run();
    tx.update(measurements).set({ askedAtMs: 0 }).where(gt(measurements.askedAtMs, nowMs)).run();
    tx.delete(facts)
      .where(and(eq(facts.name, ALL_READ), gt(facts.updatedAtMs, nowMs)))
      .run();
  },

  machineIs({ tx, nowMs }, boot) {
    const before = findFact(tx, { account: '', name: BOOT })?.value ?? null;
    if (boot !== null && before === boot) return;
    // An earlier try that is on the disk does not exclude a later one that is not.
    tx.update(intents).set({ leftAtMs: nowMs }).where(eq(intents.state, 'open')).run();
    putFact(tx, { account: '', name: BOOT, value: boot ?? '', updatedAtMs: nowMs });
  },
} satisfies Writes<SetBackStore>;
