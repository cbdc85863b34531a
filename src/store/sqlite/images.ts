import type { ErpImage, ImageStore } from '../marketplace.ts';
import type { Readable } from './database.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { putInto } from './queries.ts';
import { erpImages } from './tables/erp.ts';
import { listingImages } from './tables/marketplace.ts';

const putErpImage = putInto(erpImages, 'account', 'productId', 'url');
const putListingImage = putInto(listingImages, 'account', 'id');
/** A product has a handful. */
const MAX_IMAGES = 1_000;

const ofProduct = (account: string, productId: string) =>
  and(eq(erpImages.account, account), eq(erpImages.productId, productId));
const due = (
  db: Readable,
  account: string,
  which: ReturnType<typeof isNull>,
  upToMs: number,
  limit: number,
): ErpImage[] => {
  const where = and(eq(erpImages.account, account), which, lte(erpImages.checkedAtMs, upToMs));
  return db.select().from(erpImages).where(where).orderBy(asc(erpImages.checkedAtMs)).limit(limit).all();
};

export const imageReads = {
  ofErpProduct({ db }, account, productId) {
    return db.select().from(erpImages).where(ofProduct(account, productId)).limit(MAX_IMAGES).all();
  },

  erpImagesFound({ db }, account, upToMs, limit) {
    return due(db, account, isNull(erpImages.failure), upToMs, limit);
  },

  erpImagesFailed({ db }, account, upToMs, limit) {
    return due(db, account, isNotNull(erpImages.failure), upToMs, limit);
  },

  ofListing({ db }, account, listingId) {
    const where = and(eq(listingImages.account, account), eq(listingImages.listingId, listingId));
    return db.select().from(listingImages).where(where).orderBy(asc(listingImages.id)).limit(MAX_IMAGES).all();
  },
} satisfies Reads<ImageStore>;

export const imageWrites = {
  recordErpImage({ tx, nowMs }, image) {
    putErpImage(tx, { ...image, checkedAtMs: nowMs });
  },

  forgetErpImages({ tx }, account, productId, urls) {
    if (urls.length === 0) return;
    const where = and(ofProduct(account, productId), inArray(erpImages.url, [...urls]));

    tx.delete(erpImages).where(where).run();
  },

  recordListingImages({ tx }, images) {
    for (const image of images) putListingImage(tx, image);
  },

  forgetListingImages({ tx }, account, ids) {
    if (ids.length === 0) return;
    const where = and(eq(listingImages.account, account), inArray(listingImages.id, [...ids]));

    tx.delete(listingImages).where(where).run();
  },
} satisfies Writes<ImageStore>;
