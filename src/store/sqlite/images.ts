import type { Database } from './database.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte } from './orm.ts';
import { putInto } from './queries.ts';
import { erpImages } from './tables/erp.ts';
import { listingImages } from './tables/marketplace.ts';

/** An image of the ERP, as it was found at its address. */
export type ErpImage = typeof erpImages.$inferSelect;
/** An image of a listing that was uploaded from here, or taken for such. */
export type ListingImage = typeof listingImages.$inferSelect;

const putErpImage = putInto(erpImages, 'account', 'productId', 'url');
const putListingImage = putInto(listingImages, 'account', 'id');
/** A product has a handful. */
const MAX_IMAGES = 1_000;

export function imageStore(db: Database, now: () => number) {
  const ofProduct = (account: string, productId: string) =>
    and(eq(erpImages.account, account), eq(erpImages.productId, productId));
  const due = (account: string, which: ReturnType<typeof isNull>, upToMs: number, limit: number): ErpImage[] => {
    const where = and(eq(erpImages.account, account), which, lte(erpImages.checkedAtMs, upToMs));
    return db.select().from(erpImages).where(where).orderBy(asc(erpImages.checkedAtMs)).limit(limit).all();
  };
  return {
    async ofErpProduct(account: string, productId: string): Promise<ErpImage[]> {
      return db.select().from(erpImages).where(ofProduct(account, productId)).limit(MAX_IMAGES).all();
    },

    /** What a fetch found, or why it found nothing: then what was found before stays. */
    async recordErpImage(image: Omit<ErpImage, 'checkedAtMs'>): Promise<void> {
      await db.transaction((tx) => putErpImage(tx, { ...image, checkedAtMs: now() }));
    },

    async forgetErpImages(account: string, productId: string, urls: readonly string[]): Promise<void> {
      if (urls.length === 0) return;
      const where = and(ofProduct(account, productId), inArray(erpImages.url, [...urls]));
      await db.transaction((tx) => tx.delete(erpImages).where(where).run());
    },

    /** Images that were last fetched at or before this time, the longest ago first. */
    async erpImagesFound(account: string, upToMs: number, limit: number): Promise<ErpImage[]> {
      return due(account, isNull(erpImages.failure), upToMs, limit);
    },

    /** Images that could not be fetched, last tried at or before this time. */
    async erpImagesFailed(account: string, upToMs: number, limit: number): Promise<ErpImage[]> {
      return due(account, isNotNull(erpImages.failure), upToMs, limit);
    },

    async ofListing(account: string, listingId: number): Promise<ListingImage[]> {
      const where = and(eq(listingImages.account, account), eq(listingImages.listingId, listingId));
      return db.select().from(listingImages).where(where).orderBy(asc(listingImages.id)).limit(MAX_IMAGES).all();
    },

    async recordListingImages(images: readonly ListingImage[]): Promise<void> {
      await db.transaction((tx) => {
        for (const image of images) putListingImage(tx, image);
      });
    },

    /** They are not there any more. */
    async forgetListingImages(account: string, ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      const where = and(eq(listingImages.account, account), inArray(listingImages.id, [...ids]));
      await db.transaction((tx) => tx.delete(listingImages).where(where).run());
    },
  };
}
