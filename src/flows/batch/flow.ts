import type { AccountConfig } from '../../config/resolve.ts';
import { type Cause, cause } from '../../domain/causes/cause.ts';
import { erpPlaceKey } from '../../domain/erp-place.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { evaluateRule, inOrder } from '../../expressions/rule.ts';
import { parseJson } from '../../http/json.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../shadow/context.ts';
import { erpLotInput } from '../../shadow/erp-input.ts';
import { readBeforeCreate } from '../../shadow/last-read.ts';
import { BATCHES_KNOWN, matchKeyOf, toBatch } from '../../shadow/read-batches.ts';
import type { BatchOutRows } from '../../store/observe.ts';
import { invalidRowText } from '../../store/reading.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import { beforeCreate } from '../engine/before-create.ts';
import { createOnce } from '../engine/create-once.ts';
import { saveEchoes } from '../engine/echoes.ts';
import type { WireFields } from '../engine/fields.ts';
import { type Applied, type Flow, revalidatedBy, type WriteLook } from '../engine/flow.ts';
import { linkFound } from '../engine/link-found.ts';
import { type BatchAction, type BatchSnapshot, type BuiltBatch, decideBatch } from './decide.ts';

type Facilities = NonNullable<AccountConfig['facilities']>;
type Rules = NonNullable<Facilities['batches']>;

/** Creates marketplace batches for ERP lots and keeps their fields in step. Key: ERP lot id. */
export const batchFlow: Flow<BatchSnapshot | null, BatchAction> = {
  name: 'batch-out',
  decide: decideBatch,
  observe: observeBatch,
  observeFresh: beforeCreate({
    observe: observeBatch,
    decide: decideBatch,
    create: 'batch-out.create',
    list: 'batches',
  }),
  apply(context, look, action) {
    switch (action.action) {
      case 'batch-out.link':
        return linkFound(
          context,
          { kind: 'batch', marketplaceId: String(action.batchId), erpId: look.key, how: 'equal' },
          `batch ${action.batchId} is lot ${look.key}`,
        );
      case 'batch-out.create':
        return createBatch(context, look, action.made);
      case 'batch-out.patch':
        return patchBatch(context, look, action.batchId, action.fields);
    }
  },
};

async function observeBatch({ account, config, store }: AccountRecords, key: string): Promise<BatchSnapshot | null> {
  const { facilities } = config;
  if (facilities?.batches == null) return null;
  const rows = await store.observe.batchOut(account, key, [BATCHES_KNOWN]);
  const { lot, mapping, shown, createInDoubt, facts } = rows;
  const made = await madeOf(facilities.batches, rows);
  return {
    lot,
    invalidRow: invalidRowText(rows.invalidRow),
    isWanted: rows.stock.some((row) => row.batch === lot?.batch && !row.onHand.isZero() && isOfLots(facilities, row)),
    linked:
      mapping?.state === 'linked'
        ? {
            id: Number(mapping.marketplaceId),
            shown: shown === null ? null : (parseJson(shown.content) as WireFields),
            gone: rows.batchGone,
          }
        : null,
    made,
    found: 'key' in made ? await store.batches.withKey(account, made.key) : [],
    echoes: mapping?.echoes ?? {},
    createInDoubt,
    known: facts.get(BATCHES_KNOWN) === facilities.batches.match,
  };
}

/** Returns whether the row's batch is made of its lot. Not so if an entry names the batch. */
function isOfLots({ lotPlaces, places }: Facilities, row: BatchOutRows['stock'][number]): boolean {
  return lotPlaces.has(row.location ?? '') && !places.has(erpPlaceKey(row));
}

/** The spec shows no batch fields, so configured rules make all of them. */
async function madeOf({ fields, match }: Rules, { lot, product }: BatchOutRows): Promise<BuiltBatch | Cause> {
  const no = (problem: string) => cause('batch-fields-problem', { lot: lot?.id ?? '', problem });
  if (lot === null) return no('it is unknown');
  const input = erpLotInput(lot, product);
  const made: Record<string, unknown> = {};
  try {
    const begun = fields.map(({ name, rule }) => evaluateRule(rule, input, `facilities.batches.fields.${name}`));
    for (const [index, value] of (await inOrder(begun)).entries()) {
      const name = fields[index]?.name;
      if (name !== undefined && value !== undefined) made[name] = value;
    }
  } catch (error) {
    if (error instanceof ExpressionError) return no(error.message);
    throw error;
  }
  const key = matchKeyOf(made[match]);
  return key === null ? no(`facilities.batches.fields.${match} makes nothing`) : { fields: made, key };
}

async function createBatch(context: MarketplaceReading, look: WriteLook, made: BuiltBatch | null): Promise<Applied> {
  const { account, client, config, store } = context;
  const match = config.facilities?.batches?.match ?? '';
  return createOnce<{ readonly id: number }>(context, {
    // Stores the search value, because the lot may change before a lost answer is looked up.
    intent: { kind: 'batch-out', key: look.key, externalId: made?.key ?? look.key },
    alwaysFind: true,
    find: () => findBatches(context, look, made),
    create:
      made === null
        ? null
        : async (sending) => {
            const again = revalidatedBy(look, () => isStillNew(context, look.key, made));
            return client.call('batches.create', { body: made.fields }, { ...again, sending });
          },
    async record(row) {
      // The spec does not say what the answer contains.
      if (made === null || (await store.batches.get(account, row.id)) !== null) return;
      await store.batches.record(account, [toBatch({ ...made.fields, ...row }, match)], look.lane);
    },
    idOf: ({ id }) => id,
    remember: () => (made === null ? Promise.resolve() : saveEchoes(context, 'batch', look.key, made.fields)),
  });
}

async function findBatches(context: MarketplaceReading, look: Look, made: BuiltBatch | null) {
  const { account, store } = context;
  const earlier = await store.intents.unsettled({ account, kind: 'batch-out', key: look.key });
  if (earlier !== null) await readBeforeCreate(context, look, 'batches');
  const key = earlier?.externalId ?? made?.key;
  const found = key === undefined ? [] : await store.batches.withKey(account, key);
  return found.filter(({ lotId }) => lotId === null || lotId === look.key);
}

/** Decides again right before sending. This create's own intent is ignored. */
async function isStillNew(context: AccountRecords, key: string, made: BuiltBatch): Promise<boolean> {
  const seen = await observeBatch(context, key);
  const [first] = decideBatch(seen && { ...seen, createInDoubt: false }).actions;
  return first?.action === 'batch-out.create' && JSON.stringify(first.made) === JSON.stringify(made);
}

async function patchBatch(
  context: MarketplaceReading,
  look: WriteLook,
  id: number,
  fields: WireFields,
): Promise<Applied> {
  const { account, client, config, store } = context;
  const shown = await client.call('batches.patch', { path: { id }, body: fields }, look);
  return runAfterWrite(`batch ${id} changed`, async () => {
    const before = await store.batches.get(account, id);
    const known = before === null ? {} : (parseJson(before.content) as WireFields);
    const row = { ...known, ...fields, ...shown, id };
    await store.batches.record(account, [toBatch(row, config.facilities?.batches?.match ?? '')], look.lane);
    await saveEchoes(context, 'batch', look.key, fields);
  });
}
