import type { AccountRecords } from '../../shadow/context.ts';
import type { Link } from '../../store/links.ts';
import type { Applied } from './flow.ts';

export async function linkFound(
  { account, store }: AccountRecords,
  link: Omit<Link, 'account'>,
  answer: string = `linked by ${link.how}`,
): Promise<Applied> {
  await store.mappings.link({ account, ...link });
  return { outcome: 'noted', answer };
}
