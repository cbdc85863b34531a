import type { Column } from 'drizzle-orm';
import type { SetBackStore } from '../work.ts';
import { findFact, putFact } from './cursors.ts';
import { ALL_READ } from './measurements.ts';
import { and, eq, gt, inArray, sql } from './orm.ts';
import type { Writes } from './part.ts';
import { deleteWhere, unindexed, updateWhere } from './queries.ts';
import { erpImages } from './tables/erp.ts';
import { measurements } from './tables/marketplace.ts';
import { facts } from './tables/reading.ts';
import { journal } from './tables/record.ts';
import { intents, reconciles, work } from './tables/work.ts';

/** Fact: the boot of the machine since which the account's notes are complete. */
export const BOOT = 'boot';

export const setBackWrites = {
  restampFuture({ tx, nowMs }, account) {
    const later = <Table extends { readonly account: Column }>(table: Table, date: Column) =>
      and(eq(table.account, account), gt(date, nowMs));
    updateWhere(tx, work, { notBeforeMs: 0 }, later(work, work.notBeforeMs));
    updateWhere(tx, intents, { sentAtMs: nowMs }, later(intents, intents.sentAtMs));
    updateWhere(tx, intents, { leftAtMs: nowMs }, later(intents, intents.leftAtMs));
    updateWhere(tx, intents, { settledAtMs: nowMs }, later(intents, intents.settledAtMs));
    const own = tx.select({ id: intents.id }).from(intents).where(eq(intents.account, account));
    const isLater = and(gt(reconciles.lookedAtMs, nowMs), inArray(reconciles.intentId, own));
    updateWhere(tx, reconciles, { lookedAtMs: nowMs }, isLater);
    updateWhere(tx, erpImages, { checkedAtMs: nowMs }, later(erpImages, erpImages.checkedAtMs));
    // The journal is long, so one index alone must find the entries. SQLite would use the index of accounts.
    const ids = tx.select({ id: journal.id }).from(journal).where(later(journal, journal.atMs));
    const mayStillCome = and(
      sql`${unindexed(journal.account)} = ${account}`,
      inArray(journal.outcome, ['sent', 'unknown']),
    );
    updateWhere(tx, journal, { atMs: nowMs }, and(inArray(journal.id, ids), mayStillCome));
    updateWhere(tx, measurements, { askedAtMs: 0 }, later(measurements, measurements.askedAtMs));
    deleteWhere(tx, facts, and(eq(facts.name, ALL_READ), later(facts, facts.updatedAtMs)));
  },

  machineIs({ tx, nowMs }, account, boot) {
    const before = findFact(tx, { account, name: BOOT })?.value ?? null;
    if (boot !== null && before === boot) return;
    // The disk may have an earlier try of a write whose later try is lost. So every open write is stamped.
    updateWhere(tx, intents, { leftAtMs: nowMs }, and(eq(intents.account, account), eq(intents.state, 'open')));
    putFact(tx, { account, name: BOOT, value: boot ?? '', updatedAtMs: nowMs });
  },
} satisfies Writes<SetBackStore>;
