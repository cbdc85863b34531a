import type { AccountConfig } from '../config/resolve.ts';
import { shownAddress } from '../erp/images/address.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { evaluateNamed } from '../expressions/rule.ts';
import type { StoredErpProduct } from '../store/erp.ts';
import { erpInput } from './erp-input.ts';

interface ImagePlace {
  readonly url: string;
  readonly position: number;
}

const PLACE = 'products.images.from';
const MAX_IMAGES = 50;
const MAX_ADDRESS = 2_000;
const MAX_POSITION = 2_147_483_647;

/**
 * URLs in order from 0, or `{url, position}`.
 * @throws ExpressionError
 */
export async function wantedImages(
  { products }: Pick<AccountConfig, 'products'>,
  erp: StoredErpProduct,
): Promise<ImagePlace[]> {
  if (products.images === null) return [];
  const made = await evaluateNamed(products.images.from, erpInput(erp), PLACE);
  const items: readonly unknown[] = Array.isArray(made) ? made : made === undefined || made === null ? [] : [made];
  if (items.length > MAX_IMAGES) throw new ExpressionError(`${PLACE}: makes more than ${MAX_IMAGES} images`);
  const places = items.map(placeOf);
  const twice = places.find(({ position }, index) => places.findIndex((one) => one.position === position) !== index);
  if (twice !== undefined) throw new ExpressionError(`${PLACE}: makes two images at position ${twice.position}`);
  return places;
}

function placeOf(item: unknown, index: number): ImagePlace {
  const { url, position = index } =
    typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : { url: item };
  if (typeof url !== 'string' || url === '' || url.length > MAX_ADDRESS) {
    const got = JSON.stringify(item).slice(0, 100);
    throw new ExpressionError(`${PLACE}: expected addresses or {url, position} and got ${got}`);
  }
  const at = typeof position === 'string' && /^\d{1,10}$/.test(position) ? Number(position) : position;
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > MAX_POSITION) {
    throw new ExpressionError(`${PLACE}: the position of ${shownAddress(url)} is no whole number from 0`);
  }
  return { url, position: at };
}
