import { knownReserved } from '../../domain/ledger.ts';
import type { StockFigures } from '../../domain/product.ts';
import { listedOf } from '../../domain/units.ts';
import { quantityBody } from '../../marketplace/entities/bodies.ts';
import { readFigures } from '../../marketplace/entities/product.ts';
import type { MarketplaceReading } from '../../shadow/context.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import type { AccountContext } from '../engine/context.ts';
import { type Applied, revalidatedBy, type WriteLook } from '../engine/flow.ts';
import { recordListing } from '../product/listing.ts';
import { basisOfRaise, decideStock, type StockSnapshot, type WriteStock } from './decide.ts';
import { observeStock } from './observe.ts';
import { isStillKnown } from './read-before-raise.ts';

type Writing = MarketplaceReading & Pick<AccountContext, 'requestRead'>;

/**
 * Sends one PATCH. As there is no compare-and-set, the answer's reserved_qty shows whether an order came in between.
 */
export async function writeStock(context: Writing, look: WriteLook, action: WriteStock): Promise<Applied> {
  const { account, client, store } = context;
  const listed = action.lists ? context.config.products.restoreFields : {};
  const body = { ...listed, ...quantityBody(action.field, action.value) };
  const request = { path: { id: action.listingId }, body };
  // This write is already journaled, but does not count as lost.
  const seenNow = () => observeStock(context, look.key, action.lostWrite);
  const sameIn = (snapshot: StockSnapshot) => {
    const [first] = decideStock(snapshot).actions;
    return first?.after === action.after && first.lists === action.lists ? first : null;
  };
  // The same figure may meanwhile raise the stock, under another brake, or come from another ERP read.
  const again = async () => {
    const snapshot = await seenNow();
    const same = sameIn(snapshot);
    return (
      same !== null && same.brake === action.brake && isStillKnown(context, basisOfRaise(snapshot, 0), action.asked)
    );
  };
  const sent = await client.call('products.patch', request, revalidatedBy(look, again));
  const figures = readFigures(sent);
  const reservedIn = (snapshot: StockSnapshot) => listedOf(knownReserved(snapshot.lines), snapshot.unitsIn);
  const observe = (seen: StockFigures, { knownReserved: expectedReserved, observedTick }: WriteStock) => {
    const answer = { figures: seen, expectedReserved, observedTick };
    return store.products.observeFigures(account, action.listingId, answer);
  };
  const slipped = figures.reserved !== null && !figures.reserved.equals(action.expectedReserved);
  const knownNow = async () => {
    if (!slipped || action.expectedReserved.equals(action.knownReserved)) return action.knownReserved;
    await context.readNow('orders', look);
    return reservedIn(await seenNow());
  };
  await runAfterWrite(showFigures(figures), async () => {
    if (action.lists) return recordListing(context, look, sent, action.listingId, listed, { archived: false });
    // A figure from before a later read does not replace that read's figures.
    const now = await seenNow();
    const moved = !reservedIn(now).equals(action.knownReserved);
    if (figures.quantity !== null && !moved) return observe(figures, { ...action, knownReserved: await knownNow() });
    // Answers may omit the figures (spec 1). If the decision is unchanged, they are computed from it.
    const same = figures.quantity === null ? sameIn(now) : null;
    if (same !== null) return observe(assumedFigures(same), same);
    await context.readListing(look, action.listingId, false);
  });
  if (slipped) await runAfterWrite(showFigures(figures), () => context.requestRead('orders'));
  const note = slipped ? `; ${action.expectedReserved.toFixed()} reserved was expected: orders are read again` : '';
  return { outcome: 'written', answer: showFigures(figures) + note };
}

function showFigures({ quantity, reserved, available }: StockFigures): string {
  if (quantity === null) return 'answered without figures';
  return `quantity ${quantity.toFixed()}, reserved ${reserved?.toFixed() ?? '?'}, available ${available?.toFixed() ?? '?'}`;
}

/** Spec 1, Inventory setting rules 2 and 3. */
function assumedFigures({ field, value, expectedReserved }: WriteStock): StockFigures {
  return field === 'quantity'
    ? { quantity: value, reserved: expectedReserved, available: value.minus(expectedReserved) }
    : { quantity: value.plus(expectedReserved), reserved: expectedReserved, available: value };
}
