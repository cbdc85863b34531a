import { sideOfList } from '../domain/lists.ts';
import { descriptorOf, type FlowName, isFlow } from '../flows/flows.ts';
import { bookOf } from '../shadow/references.ts';
import type { EntityIds } from '../store/entities.ts';
import type { MappingKind } from '../store/links.ts';
import type { Store } from '../store/store.ts';
import { NotFound } from './faults.ts';

export const SHORTEST = 4;
const NAMED = 5;

type Entities = Pick<Store, 'entities' | 'facts'>;

/**
 * Finds an entity by SKU, by id or number of either side, by an order's short reference, or by an unambiguous beginning
 * of an id or number. null: none.
 * @param kind null: any
 * @throws NotFound for an ambiguous name
 */
export async function findEntity(
  store: Entities,
  account: string,
  name: string,
  kind: MappingKind | null,
): Promise<EntityIds | null> {
  const { entities } = store;
  const whole = await wholeNamed(store, account, name, kind);
  const isBeginning = whole.length === 0 && name.length >= SHORTEST;
  const found = isBeginning ? await entities.named(account, name, { beginning: true, kind }, NAMED + 1) : whole;
  const [only = null, ...more] = found;
  if (more.length === 0) return only;
  const named = found.slice(0, NAMED).map(entityText).join('; ');
  const rest = found.length > NAMED ? '; and more' : '';
  const said = isBeginning ? 'is the beginning of several' : 'names several';
  throw new NotFound(`${name} ${said}: ${named}${rest}. Name one of them by its whole id or number`);
}

async function wholeNamed(store: Entities, account: string, name: string, kind: MappingKind | null) {
  const found = await store.entities.named(account, name, { beginning: false, kind }, NAMED + 1);
  if (found.length > 0) return found;
  const number = await bookOf(account, store).numberOf(name);
  return number === null ? [] : store.entities.named(account, number, { beginning: false, kind }, NAMED + 1);
}

/** The entity's key in a flow, or the name if there is no entity. */
async function keyNamed(
  store: Entities & Pick<Store, 'work'>,
  account: string,
  flow: FlowName,
  name: string,
): Promise<string> {
  if ((await store.work.get({ account, flow, key: name })) !== null) return name;
  const { links: kind } = descriptorOf(flow);
  // An id of the keys' own side wins over an equal id of the other side.
  const whole = await store.entities.named(account, name, { beginning: false, kind }, NAMED);
  if (whole.some((ids) => keyIn(flow, ids) === name)) return name;
  const found = await findEntity(store, account, name, kind);
  return (found === null ? null : keyIn(flow, found)) ?? name;
}

export async function keyInAny(
  store: Entities & Pick<Store, 'work'>,
  accounts: readonly string[],
  flow: FlowName,
  name: string,
): Promise<string> {
  const keys = await Promise.all(accounts.map((account) => keyNamed(store, account, flow, name)));
  return keys.find((key) => key !== name) ?? name;
}

/**
 * The name and all ids of the entity, under which its records are stored.
 * @throws NotFound for an ambiguous name
 */
export async function idsNamed(store: Entities, accounts: readonly string[], name: string): Promise<string[]> {
  const found = await Promise.all(accounts.map((account) => findEntity(store, account, name, null)));
  const ids = found.flatMap((entity) => [entity?.marketplaceId, entity?.erpId]);
  return [...new Set([name, ...ids.filter((id) => id != null)])];
}

/** null: the entity is not on the side whose ids are the keys. */
export function keyIn(flow: FlowName, { marketplaceId, erpId }: EntityIds): string | null {
  return isKeyedByErp(flow) ? erpId : marketplaceId;
}

/** undefined: no flow. */
export function kindNamed(flow: string): MappingKind | undefined {
  return isFlow(flow) ? descriptorOf(flow).links : undefined;
}

export function isKeyedByErp(flow: string): boolean {
  return sideOfList(descriptorOf(flow).keys) === 'erp';
}

function entityText({ kind, marketplaceId, erpId }: EntityIds): string {
  const sides = [
    ...(marketplaceId === null ? [] : [`${marketplaceId} on the marketplace`]),
    ...(erpId === null ? [] : [`${erpId} in the ERP`]),
  ];
  return `${kind} ${sides.join(', ')}`;
}
