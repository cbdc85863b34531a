import { APPROVED } from '../../domain/brake.ts';
import { type Cause, sentencesOf } from '../../domain/causes/cause.ts';
import { setAlert } from '../../shadow/alerts.ts';
import type { AccountRecords, Recording } from '../../shadow/context.ts';
import { noteInJournal } from '../../shadow/note.ts';
import type { JournalEvent } from '../../store/record.ts';
import type { FlowName } from '../flows.ts';
import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import type { Braked } from './policy.ts';

interface Subject {
  readonly flow: FlowName;
  readonly key: string;
}

export interface WriteRecord {
  /** The request is sent now. */
  sending(): Promise<void>;
  end(ended: Pick<JournalEvent, 'outcome' | 'answer' | 'adopted'>): Promise<void>;
  /** The write was not sent, and leaves no entry. */
  drop(): Promise<void>;
}

/**
 * Journals a write before it is sent, so that its reason is stored even if the program is killed.
 * @param isApproved an operator approved it in a plan
 */
export async function beginWrite(
  { account, store, onJournal }: Pick<AccountContext, 'account' | 'store' | 'onJournal'>,
  subject: Subject,
  action: Planned & Braked,
  isApproved: boolean,
): Promise<WriteRecord> {
  const plain = entryOf(account, subject, action);
  const entry = isApproved ? { ...plain, action: `${plain.action}${APPROVED}` } : plain;
  const id = await store.journal.begin(entry);
  return {
    sending: () => store.journal.sending(id),
    async end(ended) {
      await store.journal.end(id, ended.outcome, ended.answer);
      onJournal({ id, ...entry, ...ended, ...factsOf(action) });
    },
    drop: () => store.journal.drop(id),
  };
}

export async function noteDryRun(context: Recording, subject: Subject, action: Planned & Braked): Promise<void> {
  await noteInJournal(context, entryOf(context.account, subject, action), { outcome: 'dry-run', ...factsOf(action) });
}

/** Stores the alerts of a key. Each look replaces them. */
export async function noteAlerts(
  context: Recording & AccountRecords,
  { flow, key }: Subject,
  alerts: readonly Cause[],
): Promise<void> {
  const isNews = await setAlert(context, `${flow}:${key}`, alerts);
  if (!isNews || alerts.length === 0) return;
  const found = { flow, key, action: 'alert', target: key, before: null, after: null, why: sentencesOf(alerts) };
  await noteInJournal(context, { account: context.account, ...found }, { codes: alerts.map(({ code }) => code) });
}

function entryOf(account: string, subject: Subject, action: Planned & Braked) {
  const { target, before, after, why } = action;
  // Brakes count by kind: a price change and an archive differ for an operator.
  const name = action.brake === undefined ? action.action : `${action.action}:${action.brake}`;
  return { account, ...subject, action: name, target, before, after, why };
}

/** Facts that subscribers of the journal receive with its entry. */
function factsOf(action: Planned): Pick<JournalEvent, 'fields' | 'replaces'> {
  const { replaces } = action;
  return { fields: 'fields' in action ? Object.keys(action.fields as object) : undefined, replaces };
}
