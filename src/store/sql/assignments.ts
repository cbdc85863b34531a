import { type AssignmentsRow, withAssignments } from '../../domain/shadow/assignments.ts';
import type { AssignmentStore } from '../marketplace.ts';
import type { Lane } from '../work.ts';
import { dropInvalidRow, saveUnstored } from './invalid-rows.ts';
import { erpProductOf } from './listings.ts';
import { and, eq, ne } from './orm.ts';
import type { Reads, WriteAt, Writes } from './part.ts';
import { countOf, putInto, rowBy, rowsBy } from './queries.ts';
import { eachOf, storeRows, UNSTORED } from './row-by-row.ts';
import { assignments } from './tables/marketplace.ts';
import { markDue } from './work.ts';

export const assignmentReads = {
  get({ db }, account, listingId) {
    return findAssignments(db, { account, listingId })?.content ?? null;
  },

  count({ db }, account, unassigned) {
    return countOf(db, assignments, and(eq(assignments.account, account), ne(assignments.content, unassigned)));
  },
} satisfies Reads<AssignmentStore>;

export const assignmentWrites = {
  record(at, { account, rows, absent, tick, lane }) {
    const found = new Set(rows.map(({ listingId }) => listingId));
    storeRows(at, rows, {
      store: eachOf((row) => recordOne(at, account, { ...row, tick }, lane)),
      setAside({ listingId }, problem) {
        const key = saveUnstored(at, account, 'assignments', String(listingId), problem);
        const erpId = erpProductOf(at.tx, account, key);
        const due = erpId === null ? [] : [{ flow: 'assignments', key: erpId, why: UNSTORED }];
        markDue(at.tx, account, due, lane, at.nowMs);
      },
    });
    if (absent === null) return;
    for (const { listingId } of absent.of?.map((id) => ({ listingId: id })) ?? listAssigned(at.tx, { account })) {
      if (found.has(listingId) || absent.except.has(listingId)) continue;
      recordOne(at, account, { listingId, content: absent.content, tick }, lane);
    }
  },
} satisfies Writes<AssignmentStore>;

export const findAssignments = rowBy(assignments, 'account', 'listingId');
const putAssignments = putInto(assignments, 'account', 'listingId');
const listAssigned = rowsBy(assignments, ['account']);

function recordOne({ tx, nowMs }: WriteAt, account: string, row: AssignmentsRow, lane: Lane): void {
  const { listingId } = row;
  const mended = dropInvalidRow(tx, account, 'assignments', String(listingId));
  const erpId = erpProductOf(tx, account, String(listingId));
  const recorded = withAssignments(findAssignments(tx, { account, listingId }), row, { mended, erpId });
  if (recorded === null) return;
  putAssignments(tx, { account, ...recorded.row });
  markDue(tx, account, recorded.due, lane, nowMs);
}
