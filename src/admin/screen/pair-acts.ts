import { z } from 'zod';
import { counted } from '../../domain/counted.ts';
import { MappingConflict } from '../../store/links.ts';
import { NotFound, Refused } from '../../use/faults.ts';
import { linkEntities } from '../../use/mapping/link.ts';
import { reconsiderPair, refusePairs } from '../../use/mapping/suggest.ts';
import type { Opened } from '../../use/open.ts';
import { type Act, account, act, checkboxes, idPair } from './act.ts';
import { pairsQuestion, pairText } from './questions.ts';

/** Listings, each with a product of the ERP. */
const pairsForm = z.object({ account, pair: checkboxes.pipe(z.array(idPair).max(500)) });

type IdPair = z.output<typeof idPair>;

function requireTicked(pairs: readonly IdPair[]): void {
  if (pairs.length === 0) throw new Refused('no pair is ticked: tick at least one');
}

const textOf = (pair: IdPair) => pairText({ kind: 'product', ...pair });
const namedIn = ({ marketplaceId, erpId }: IdPair) => ({ listingId: Number(marketplaceId), erpId });
const textsOf = (pairs: readonly IdPair[]) => pairs.map(({ marketplaceId, erpId }) => `${marketplaceId}=${erpId}`);

/** Links the two, unless something speaks against it. Returns what does; null: nothing, and they are linked. */
async function linkClear(opened: Opened, of: string, pair: IdPair, signal: AbortSignal): Promise<string | null> {
  const against: string[] = [];
  const isMeant = async (doubts: readonly string[]) => {
    against.push(...doubts);
    return false;
  };
  const linking = { account: of, kind: 'product', ...pair, sku: undefined, replace: false } as const;
  try {
    return (await linkEntities(opened, linking, isMeant, signal)) === null ? against.join('. ') : null;
  } catch (error) {
    if (error instanceof NotFound || error instanceof MappingConflict) return error.message;
    throw error;
  }
}

/** The acts on several suggested pairs at once. */
export const PAIR_ACTS: readonly Act[] = [
  act({
    name: 'link-pairs',
    form: pairsForm,
    async run(opened, { account: of, pair: pairs }, signal, isSure) {
      requireTicked(pairs);
      if (!isSure) return pairsQuestion(pairs.map(textOf));
      const left: string[] = [];
      for (const pair of pairs) {
        const against = await linkClear(opened, of, pair, signal);
        if (against !== null) left.push(`${textOf(pair)} are not linked. ${against}.`);
      }
      const linked = pairs.length - left.length;
      return { said: [`${counted(linked, 'pair')} ${linked === 1 ? 'is' : 'are'} linked.`, ...left].join(' ') };
    },
  }),
  act({
    name: 'refuse-pairs',
    form: pairsForm,
    async run(opened, { account: of, pair: pairs }) {
      requireTicked(pairs);
      await refusePairs(opened, of, pairs.map(namedIn));
      return {
        said: `${counted(pairs.length, 'pair')} ${pairs.length === 1 ? 'is' : 'are'} not suggested again.`,
        undo: { act: 'reconsider-pairs', fields: { account: of, pair: textsOf(pairs) } },
      };
    },
  }),
  act({
    name: 'reconsider-pairs',
    form: pairsForm,
    async run(opened, { account: of, pair: pairs }) {
      for (const pair of pairs) await reconsiderPair(opened, of, namedIn(pair));
      return { said: `${counted(pairs.length, 'pair')} may be the same again, as long as neither half is linked.` };
    },
  }),
];
