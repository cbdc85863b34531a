import type { ImageStore } from '../marketplace.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { deleteWhere, putInto, rowsBy, rowsWhere, unindexed } from './queries.ts';
import { erpImages } from './tables/erp.ts';
import { listingImages } from './tables/marketplace.ts';

const putErpImage = putInto(erpImages, 'account', 'productId', 'url');
export const putListingImage = putInto(listingImages, 'account', 'id');
const MAX_IMAGES = 1_000;

export const findImagesOfErpProduct = rowsBy(erpImages, ['account', 'productId'], { limit: MAX_IMAGES });

export const findImagesOfListing = rowsBy(listingImages, ['account', 'listingId'], {
  order: [unindexed(listingImages.id)],
  limit: MAX_IMAGES,
});

export const imageReads = {
  ofErpProduct({ db }, account, productId) {
    return findImagesOfErpProduct(db, { account, productId });
  },

  erpImagesDue({ db }, account, { foundByMs, failedByMs }, limit) {
    const { failure, checkedAtMs } = erpImages;
    const due = (which: ReturnType<typeof isNull>, byMs: number) =>
      rowsWhere(db, erpImages, and(eq(erpImages.account, account), which, lte(checkedAtMs, byMs)), {
        order: [asc(checkedAtMs)],
        limit,
      });
    return [...due(isNotNull(failure), failedByMs), ...due(isNull(failure), foundByMs)];
  },

  ofListing({ db }, account, listingId) {
    return findImagesOfListing(db, { account, listingId });
  },
} satisfies Reads<ImageStore>;

export const imageWrites = {
  recordErpImage({ tx, nowMs }, image) {
    putErpImage(tx, { ...image, checkedAtMs: nowMs });
  },

  forgetErpImages({ tx }, account, productId, urls) {
    const isOfIt = and(eq(erpImages.account, account), eq(erpImages.productId, productId));
    deleteWhere(tx, erpImages, and(isOfIt, inArray(erpImages.url, [...urls])));
  },

  recordListingImages({ tx }, images) {
    for (const image of images) putListingImage(tx, image);
  },

  forgetListingImages({ tx }, account, ids) {
    const where = and(eq(listingImages.account, account), inArray(listingImages.id, [...ids]));
    tx.delete(listingImages).where(where).run();
  },
} satisfies Writes<ImageStore>;
