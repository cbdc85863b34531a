import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { ListingImage } from '../../store/marketplace.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';
import type { Braked } from '../engine/policy.ts';

export interface WantedImage {
  readonly url: string;
  /** For display. */
  readonly shown: string;
  readonly position: number;
  /** SHA-256 of the content last fetched from the URL. null: never fetched. */
  readonly hash: string | null;
  readonly failure: string | null;
}

export type PlacedImage = Pick<ListingImage, 'id' | 'position' | 'hash'>;

/** The images of a product. null: it has no listing for them. */
export type ImagesSnapshot = {
  readonly sku: string;
  readonly listingId: number;
  readonly problem: string | null;
  readonly wanted: readonly WantedImage[];
  /** Images uploaded by us, or counted as such. */
  readonly placed: readonly PlacedImage[];
  readonly remove: boolean;
} | null;

export type ImageAction = Planned &
  Braked &
  (
    | {
        readonly action: 'images.upload';
        readonly listingId: number;
        readonly url: string;
        readonly position: number;
      }
    | { readonly action: 'images.remove'; readonly listingId: number; readonly imageId: number }
  );

/** An image that cannot be fetched raises an alert, and the others go on. */
export function decideImages(snapshot: ImagesSnapshot): Decision<ImageAction> {
  if (snapshot === null) return inSync();
  const { sku, problem, wanted } = snapshot;
  if (problem !== null) return hold(cause('images-problem', { sku, problem }));
  const isPlaced = (image: WantedImage) =>
    snapshot.placed.some(({ position, hash }) => position === image.position && hash === image.hash);
  const uploads = wanted.filter((image) => image.failure === null && !isPlaced(image));
  const surplus = surplusOf(snapshot, uploads);
  const actions = uploads.map((image) => uploadOf(snapshot, image));
  const alerts: Cause[] = wanted.flatMap(({ shown, failure }) =>
    failure === null ? [] : [cause('image-unfetched', { image: shown, failure })],
  );
  if (snapshot.remove) actions.push(...surplus.map((image) => removalOf(snapshot, image)));
  else for (const { id } of surplus) alerts.push(cause('image-kept', { image: id }));
  return actions.length === 0 ? inSync(alerts) : act(actions, alerts);
}

/** Images that are certainly not wanted. While the wanted image of a position is unknown, the current one stays. */
function surplusOf({ wanted, placed }: NonNullable<ImagesSnapshot>, uploads: readonly WantedImage[]): PlacedImage[] {
  return placed.filter(({ position, hash }) => {
    const there = wanted.find((image) => image.position === position);
    if (there === undefined) return true;
    return there.hash !== hash && there.failure === null && !uploads.includes(there);
  });
}

function uploadOf({ sku, listingId, placed }: NonNullable<ImagesSnapshot>, image: WantedImage): ImageAction {
  const { url, shown, position, hash } = image;
  const before = placed.filter((one) => one.position === position).map(({ id }) => `image ${id}`);
  return {
    action: 'images.upload',
    target: `image ${position} of listing ${listingId} (${sku})`,
    before: before.length === 0 ? null : before.join(', '),
    after: hash === null ? shown : `${shown} (${hash.slice(0, 12)})`,
    why: before.length === 0 ? 'the ERP names it' : "the ERP's image has another content",
    listingId,
    url,
    position,
  };
}

function removalOf({ sku, listingId }: NonNullable<ImagesSnapshot>, { id, position }: PlacedImage): ImageAction {
  const target = `image ${id} of listing ${listingId} (${sku})`;
  const change = { before: `position ${position}`, after: 'deleted', why: 'the ERP does not name it any more' };
  return { action: 'images.remove', target, ...change, listingId, imageId: id };
}
