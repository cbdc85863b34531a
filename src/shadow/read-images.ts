import { ExpressionError } from '../expressions/expression-error.ts';
import type { ErpImage } from '../store/marketplace.ts';
import type { AccountRecords, ImageReading, Look } from './context.ts';
import { wantedImages } from './wanted-images.ts';

/** The most images checked at once. The rest is checked next time. */
const IMAGES_AT_ONCE = 200;
/** When a failed image is fetched again. */
const FAILED_RECHECK_MS = 10 * 60_000;
/** After this many consecutive failures, the host is at fault. */
const GIVE_UP_AFTER = 5;

/** Checks due images of the ERP for new content, and marks their products. */
export async function readImages(context: ImageReading, look: Look): Promise<void> {
  const { account, config, store, now } = context;
  const { images } = config.products;
  if (images === null) return;
  const failedMs = Math.min(images.recheckMs, FAILED_RECHECK_MS);
  const by = { failedByMs: now() - failedMs, foundByMs: now() - images.recheckMs };
  const due = await store.images.erpImagesDue(account, by, IMAGES_AT_ONCE);
  let failures = 0;
  for (const image of due) {
    look.signal.throwIfAborted();
    if (failures === GIVE_UP_AFTER) return;
    if (!(await isWanted(context, image))) {
      await store.images.forgetErpImages(account, image.productId, [image.url]);
      continue;
    }
    failures = (await checkImage(context, look, image)) ? 0 : failures + 1;
  }
}

async function isWanted({ account, config, store }: AccountRecords, image: ErpImage): Promise<boolean> {
  const erp = await store.erp.product(account, image.productId);
  if (erp === null || erp.deleted) return false;
  try {
    return (await wantedImages(config, erp)).some(({ url }) => url === image.url);
  } catch (error) {
    // The images are unknown, which holds the product.
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}

async function checkImage({ account, images, store }: ImageReading, look: Look, image: ErpImage): Promise<boolean> {
  const found = await images.fetch(image.url, image.hash === null ? null : image.etag, look.signal);
  const { checkedAtMs: _, ...before } = image;
  const seen =
    found.found === 'image'
      ? { ...before, hash: found.hash, etag: found.etag, failure: null }
      : { ...before, failure: found.found === 'nothing' ? found.failure : null };
  await store.images.recordErpImage(seen);
  if (seen.hash !== image.hash || seen.failure !== image.failure) {
    const target = { account, flow: 'images', key: image.productId };
    await store.work.mark([target], look.lane, "the ERP's image changed");
  }
  return seen.failure === null;
}
