import type { Column } from 'drizzle-orm';
import type { SetBackStore } from '../work.ts';
import { findFact, putFact } from './cursors.ts';
import { ALL_READ } from './measurements.ts';
import { and, eq, gt, inArray, sql } from './orm.ts';
import type { Writes } from './part.ts';
import { erpImages } from './tables/erp.ts';
import { measurements } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { journal } from './tables/record.ts';
import { intents, reconciles, work } from './tables/work.ts';

/** Fact of an account: the start of the machine since which the account's notes are complete. */
export const BOOT = 'boot';

export const setBackWrites = {
  restampFuture({ tx, nowMs }, account) {
    const later = <Table extends { readonly account: Column }>(table: Table, date: Column) =>
      and(eq(table.account, account), gt(date, nowMs));
    tx.update(work).set({ notBeforeMs: 0 }).where(later(work, work.notBeforeMs)).run();
    tx.update(intents).set({ sentAtMs: nowMs }).where(later(intents, intents.sentAtMs)).run();
    tx.update(intents).set({ leftAtMs: nowMs }).where(later(intents, intents.leftAtMs)).run();
    tx.update(intents).set({ settledAtMs: nowMs }).where(later(intents, intents.settledAtMs)).run();
    const own = tx.select({ id: intents.id }).from(intents).where(eq(intents.account, account));
    tx.update(reconciles)
      .set({ lookedAtMs: nowMs })
      .where(and(gt(reconciles.lookedAtMs, nowMs), inArray(reconciles.intentId, own)))
      .run();
    tx.update(erpImages).set({ checkedAtMs: nowMs }).where(later(erpImages, erpImages.checkedAtMs)).run();
    // The journal is long, so the entries are found by one index alone. The sign `+` keeps SQLite from the index of accounts.
    const ids = tx.select({ id: journal.id }).from(journal).where(later(journal, journal.atMs));
    const mayStillCome = and(sql`+${journal.account} = ${account}`, inArray(journal.outcome, ['sent', 'unknown']));
    tx.update(journal)
      .set({ atMs: nowMs })
      .where(and(inArray(journal.id, ids), mayStillCome))
      .run();
    tx.update(measurements).set({ askedAtMs: 0 }).where(later(measurements, measurements.askedAtMs)).run();
    tx.delete(facts)
      .where(and(eq(facts.name, ALL_READ), later(facts, facts.updatedAtMs)))
      .run();
  },

  machineIs({ tx, nowMs }, account, boot) {
    const before = findFact(tx, { account, name: BOOT })?.value ?? null;
    if (boot !== null && before === boot) return;
    // An earlier try may be on the disk, and a later try of the same write may be lost. So every open write is stamped.
    tx.update(intents)
      .set({ leftAtMs: nowMs })
      .where(and(eq(intents.account, account), eq(intents.state, 'open')))
      .run();
    putFact(tx, { account, name: BOOT, value: boot ?? '', updatedAtMs: nowMs });
  },
} satisfies Writes<SetBackStore>;
