import type { Known } from '../../shadow/context.ts';
import type { Link } from '../../store/links.ts';
import type { Applied } from './flow.ts';

/** Links two entities that are one, found on both sides. */
export async function linkFound(
  { account, store }: Known,
  link: Omit<Link, 'account'>,
  answer: string = `linked by ${link.how}`,
): Promise<Applied> {
  await store.mappings.link({ account, ...link });
  return { outcome: 'noted', answer };
}
