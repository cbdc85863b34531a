import { CallFailure } from '../../domain/failure.ts';
import { isSold } from '../../domain/product.ts';
import { addressProblem, shownAddress } from '../../erp/images/address.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import type { AccountRecords, MarketplaceReading } from '../../shadow/context.ts';
import { wantedImages } from '../../shadow/wanted-images.ts';
import type { ErpImage } from '../../store/marketplace.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import { type Applied, type Flow, revalidatedBy, type WriteLook } from '../engine/flow.ts';
import { decideImages, type ImageAction, type ImagesSnapshot, type WantedImage } from './decide.ts';
import { listingImages, uploadImage } from './upload.ts';

/** Keeps the images of listings in step with the ERP's. Key: ERP product id. */
export const imagesFlow: Flow<ImagesSnapshot, ImageAction> = {
  name: 'images',
  decide: decideImages,
  observe: observeImages,
  apply: (context, look, action) =>
    action.action === 'images.upload'
      ? uploadImage(
          context,
          revalidatedBy(look, () => isToBeUploaded(context, look.key, action)),
          action,
        )
      : removeImage(context, look, action.listingId, action.imageId),
};

/** Decides again. The fetch result is stored by now, so a normal look would decide another action. */
async function isToBeUploaded(
  context: AccountRecords,
  key: string,
  { url, position }: Extract<ImageAction, { action: 'images.upload' }>,
): Promise<boolean> {
  const { actions } = decideImages(await observeImages(context, key));
  return actions.some(
    (action) => action.action === 'images.upload' && action.url === url && action.position === position,
  );
}

async function observeImages({ account, config, store }: AccountRecords, key: string): Promise<ImagesSnapshot> {
  const { images } = config.products;
  if (images === null) return null;
  const { erp, listing, placed, found } = await store.observe.images(account, key);
  if (erp === null || listing === null || listing.archived || !isSold(erp)) return null;
  const facts = { sku: erp.sku, listingId: listing.id, placed, remove: images.remove };
  try {
    return { ...facts, problem: null, wanted: asFound(await wantedImages(config, erp), found, images.hosts) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...facts, problem: error.message, wanted: [] };
  }
}

function asFound(
  wanted: Awaited<ReturnType<typeof wantedImages>>,
  known: readonly ErpImage[],
  hosts: readonly string[],
): WantedImage[] {
  return wanted.map(({ url, position }) => {
    const found = known.find((image) => image.url === url);
    const failure = addressProblem(url, hosts) ?? found?.failure ?? null;
    return { url, shown: shownAddress(url), position, hash: found?.hash ?? null, failure };
  });
}

async function removeImage(
  context: MarketplaceReading,
  look: WriteLook,
  listingId: number,
  id: number,
): Promise<Applied> {
  const { account, client, store } = context;
  try {
    await client.call('product-images.delete', { path: { id } }, look);
  } catch (error) {
    // The image is already gone, or this deployment lacks the path.
    if (!(error instanceof CallFailure) || error.kind !== 'not-found') throw error;
    if ((await listingImages(context, look, listingId)).some((image) => image.id === id)) throw error;
  }
  const answer = `image ${id} deleted`;
  return runAfterWrite(answer, () => store.images.forgetListingImages(account, [id]));
}
