import type { FetchedImage } from '../../erp/images/fetcher.ts';
import type { Answer } from '../../marketplace/request.ts';
import type { AccountRecords, Look, MarketplaceReading, ReadContext } from '../../shadow/context.ts';
import { eachPage, listQuery } from '../../shadow/pages.ts';
import type { Intent } from '../../store/intents.ts';
import { createOnce } from '../engine/create-once.ts';
import type { Applied, WriteLook } from '../engine/flow.ts';

type ShownImage = Pick<Answer<'product-images.list'>, 'id' | 'position'>;
type Image = Extract<FetchedImage, { found: 'image' }>;

interface Upload {
  readonly listingId: number;
  readonly url: string;
  readonly position: number;
}

/**
 * Uploads an image unless its content is already there. The marketplace lists a listing's images but not their content.
 * So each upload is recorded by the hash of its content. An image without a record counts as the ERP's image at that
 * position. So nothing is uploaded twice, whatever records were lost.
 */
export async function uploadImage(context: ReadContext, look: WriteLook, upload: Upload): Promise<Applied> {
  const { account, store } = context;
  const image = await context.images.fetch(upload.url, null, look.signal);
  if (image.found !== 'image') {
    const failure = image.found === 'nothing' ? image.failure : 'has not changed';
    await recordFound(context, look.key, upload.url, { failure });
    return { outcome: 'noted', answer: failure };
  }
  const { hash } = image;
  await recordFound(context, look.key, upload.url, { hash, etag: image.etag, failure: null });
  const placed = await store.images.ofListing(account, upload.listingId);
  if (placed.some((one) => one.position === upload.position && one.hash === hash)) {
    return { outcome: 'noted', answer: 'its content is there already' };
  }
  return createImage(context, look, upload, image);
}

async function recordFound(
  { account, store }: AccountRecords,
  productId: string,
  url: string,
  found: { readonly hash?: string; readonly etag?: string | null; readonly failure: string | null },
): Promise<void> {
  const before = (await store.images.ofErpProduct(account, productId)).find((image) => image.url === url);
  const { hash = before?.hash ?? null, etag = before?.etag ?? null, failure } = found;
  await store.images.recordErpImage({ account, productId, url, hash, etag, failure });
}

async function createImage(
  context: MarketplaceReading,
  look: WriteLook,
  { listingId, url, position }: Upload,
  image: Image,
): Promise<Applied> {
  const { hash } = image;
  const { account, client, store } = context;
  const target = { kind: 'image', key: `${listingId}/${position}` } as const;
  const earlier = await store.intents.unsettled({ account, ...target });
  const { there, ours } = await imagesAt(context, look, listingId, position);
  let fresh: number[] = [];
  return createOnce<ShownImage>(context, {
    intent: { ...target, externalId: hash, sent: JSON.stringify(there) },
    alwaysFind: true,
    find: async () => {
      if (earlier === null) fresh = ours.length === 0 ? there : [];
      else {
        // An upload whose answer was lost may have been applied since.
        const now = await imagesAt(context, look, listingId, position);
        const before = idsBefore(earlier);
        fresh = now.there.filter((id) => !now.ours.includes(id) && !before.includes(id));
      }
      return fresh.slice(0, 1).map((id) => ({ id, position }));
    },
    create: (sending) => {
      const file = { name: fileName(url, image), contentType: image.contentType, bytes: image.bytes };
      const body = { image: file, product: listingId, position };
      return client.call('product-images.create', { body }, { ...look, sending });
    },
    record: async ({ id: created }) => {
      const ids = fresh.length > 0 ? fresh : [created];
      const content = fresh.length > 0 ? (earlier?.externalId ?? hash) : hash;
      await store.images.recordListingImages(ids.map((id) => ({ account, id, listingId, position, hash: content })));
    },
    idOf: ({ id }) => id,
  });
}

/** Ids of the images at a position, and which of them we uploaded. */
async function imagesAt(context: MarketplaceReading, look: Look, listingId: number, position: number) {
  const { account, store } = context;
  const shown = await listingImages(context, look, listingId);
  const placed = await store.images.ofListing(account, listingId);
  const gone = placed.filter(({ id }) => !shown.some((one) => one.id === id)).map(({ id }) => id);
  await store.images.forgetListingImages(account, gone);
  const there = shown.filter((one) => one.position === position).map(({ id }) => id);
  const ours = placed.filter((one) => one.position === position && !gone.includes(one.id)).map(({ id }) => id);
  return { there, ours };
}

/** Images at the position before an upload whose answer was lost. */
function idsBefore({ sent }: Intent): number[] {
  return sent === '' ? [] : (JSON.parse(sent) as number[]);
}

const EXTENSION = /\.[a-z0-9]{2,5}$/i;

/** Some servers derive the file type from the name alone. */
function fileName(url: string, { contentType, hash }: Image): string {
  const extension = EXTENSION.exec(URL.parse(url)?.pathname ?? '')?.[0];
  return `${hash.slice(0, 16)}${extension ?? `.${contentType.replace(/^image\/|\+.*$/g, '')}`}`;
}

/** The most pages read for one listing. Only a deployment that ignores the filter has more. */
const MAX_PAGES = 200;

/**
 * The images of a listing, read from the marketplace now.
 * @throws CallFailure
 */
export async function listingImages(
  { client }: MarketplaceReading,
  look: Look,
  listingId: number,
): Promise<ShownImage[]> {
  const found: ShownImage[] = [];
  const pages = eachPage({ of: 'product images', maxPages: MAX_PAGES }, (page) => {
    const query = { ...listQuery(page, 'id'), product: listingId };
    return client.list('product-images.list', { query }, look);
  });
  for await (const { rows } of pages) found.push(...rows.filter(({ product }) => product === listingId));
  return found;
}
