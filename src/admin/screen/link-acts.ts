import { z } from 'zod';
import { ARCHIVED_CHOICES, decideAllArchived } from '../../use/archived.ts';
import { Refused } from '../../use/faults.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { type Linking, leftBehindText, linkEntities, remainingText } from '../../use/mapping/link.ts';
import { reconsiderPair, refusePairs } from '../../use/mapping/suggest.ts';
import { afterUnlink, moveLinkBack, takeLinkBack, unlinkEntities } from '../../use/mapping/unlink.ts';
import type { Opened } from '../../use/open.ts';
import { type Act, account, act, checkboxes, type Done, id, idPair, number, withRemainder } from './act.ts';
import type { Deed } from './notices.ts';
import type { Question } from './page.ts';
import { bringBackQuestion, linkQuestion, type Pair, pairText, separateQuestion } from './questions.ts';

/** A listing and a product of the ERP. */
const pairForm = z.object({ account, marketplaceId: id, erpId: id });
/** Something of one side, and the id of the other half, which a person types. */
const halfForm = z.object({ account, kind: z.enum(KINDS), side: z.enum(['marketplace', 'erp']), id, other: id });

/** Links the two, or asks with everything that speaks against it. */
async function linkPair(
  opened: Opened,
  pair: Pair & Pick<Linking, 'account' | 'replace'>,
  signal: AbortSignal,
  isSure: boolean,
): Promise<Done | Question> {
  const doubts: string[] = [];
  const standing: Pair[] = [];
  const isMeant = async (against: readonly string[], replaced: readonly Omit<Pair, 'kind'>[]) => {
    doubts.push(...against);
    standing.push(...replaced.map((ids) => ({ kind: pair.kind, ...ids })));
    return isSure;
  };
  const done = await linkEntities(opened, { ...pair, sku: undefined }, isMeant, signal);
  if (done === null) return linkQuestion(pair, doubts, standing);
  const said = withRemainder(`${pairText(pair)} are linked`, remainingText('order-in', 'ERP order', done.left));
  const behind = done.replaced.map((one) => `${leftBehindText(one)}.`);
  const undo = done.outcome === 'linked' ? undoOf(pair, done.takenAway) : undefined;
  return { said: [said, ...behind].join(' '), undo };
}

function undoOf(
  { account: of, kind, marketplaceId }: Pair & Pick<Linking, 'account'>,
  replaced: readonly Pair[],
): Deed {
  const fields = { account: of, kind, marketplaceId };
  if (replaced.length === 0) return { act: 'unlink', fields };
  return { act: 'move-back', fields: { ...fields, was: replaced.map((one) => `${one.marketplaceId}=${one.erpId}`) } };
}

/** The acts on links, and on listings that somebody archived. */
export const LINK_ACTS: readonly Act[] = [
  act({
    name: 'link',
    form: pairForm,
    async run(opened, form, signal, isSure) {
      return linkPair(opened, { ...form, kind: 'product', replace: false }, signal, isSure);
    },
  }),
  act({
    name: 'link-half',
    form: halfForm,
    field: 'other',
    async run(opened, { account: of, kind, side, id: own, other }, signal, isSure) {
      const [marketplaceId, erpId] = side === 'marketplace' ? [own, other] : [other, own];
      return linkPair(opened, { account: of, kind, marketplaceId, erpId, replace: 'ask' }, signal, isSure);
    },
  }),
  act({
    name: 'separate',
    form: z.object({ account, kind: z.enum(KINDS), marketplaceId: id }),
    async run(opened, { account: of, kind, marketplaceId }, _signal, isSure) {
      const link = await opened.store.mappings.byMarketplaceId(of, kind, marketplaceId);
      if (!isSure) return separateQuestion({ kind, marketplaceId, erpId: link?.erpId ?? 'none' });
      const unlinked = await unlinkEntities(opened, { account: of, kind, marketplaceId, erpId: undefined });
      const { erpId: other } = unlinked.mapping;
      const again = { account: of, kind, side: 'marketplace', id: marketplaceId, other: other ?? '' };
      return { said: `They are linked no longer. ${afterUnlink(unlinked)}`, undo: { act: 'link-half', fields: again } };
    },
  }),
  act({
    name: 'unlink',
    form: z.object({ account, kind: z.enum(KINDS), marketplaceId: id }),
    async run(opened, { account: of, kind, marketplaceId }) {
      const unlinked = await takeLinkBack(opened, { account: of, kind, marketplaceId });
      return { said: `They are linked no longer. ${afterUnlink(unlinked)}` };
    },
  }),
  act({
    name: 'move-back',
    form: z.object({
      account,
      kind: z.enum(KINDS),
      marketplaceId: id,
      was: checkboxes.pipe(z.array(idPair).min(1).max(2)),
    }),
    async run(opened, { was, ...made }) {
      await moveLinkBack(opened, made, was);
      return { said: was.map((ids) => `${pairText({ kind: made.kind, ...ids })} are linked again.`).join(' ') };
    },
  }),
  act({
    name: 'refuse',
    form: pairForm,
    async run(opened, { account: of, marketplaceId, erpId }) {
      await refusePairs(opened, of, [{ listingId: Number(marketplaceId), erpId }]);
      const undo = { act: 'reconsider', fields: { account: of, marketplaceId, erpId } };
      return { said: `Listing ${marketplaceId} is not ${erpId}: it is not suggested again.`, undo };
    },
  }),
  act({
    name: 'reconsider',
    form: pairForm,
    async run(opened, { account: of, marketplaceId, erpId }) {
      await reconsiderPair(opened, of, { listingId: Number(marketplaceId), erpId });
      return { said: `Listing ${marketplaceId} may be ${erpId} again, as long as neither is linked.` };
    },
  }),
  act({
    name: 'archived',
    form: z.object({ account, listing: checkboxes.pipe(z.array(number).max(500)), said: z.enum(ARCHIVED_CHOICES) }),
    async run(opened, { account: of, listing: listings, said }, _signal, isSure) {
      if (listings.length === 0) throw new Refused('no listing is ticked: tick at least one');
      if (said === 'asked-back' && !isSure) return bringBackQuestion(listings.length);
      const { done, left } = await decideAllArchived(opened, of, listings, said);
      const undo = { act: 'archived', fields: { account: of, listing: done.map(String), said: 'open' } };
      const [which, one] = done.length === 1 ? [`Listing ${done[0]}`, true] : [`${done.length} listings`, false];
      return {
        'asked-back': { said: withRemainder(`${which} ${one ? 'is' : 'are'} brought back`, left), undo },
        left: { said: withRemainder(`${which} ${one ? 'stays' : 'stay'} archived`, left), undo },
        open: { said: withRemainder(`${which} ${one ? 'waits' : 'wait'} for a decision again`, left) },
      }[said];
    },
  }),
];
