import { sideOfList } from '../domain/lists.ts';
import { descriptorOf, type FlowName, isFlow } from '../flows/flows.ts';
import { bookOf } from '../shadow/references.ts';
import type { EntityIds } from '../store/entities.ts';
import type { MappingKind } from '../store/links.ts';
import type { Store } from '../store/store.ts';
import { NotFound } from './faults.ts';

/** The fewest characters of the beginning of a name. */
export const SHORTEST = 4;
/** The most entities that a message names where a name fits several. */
const NAMED = 5;

type Entities = Pick<Store, 'entities' | 'facts'>;

/**
 * The entity that a person names by its SKU, by its id or number on either side, by the short reference of an order in the ERP, or by
 * an unambiguous beginning of an id or number.
 * null: no entity has such a name.
 * @param kind null: of any kind
 * @throws NotFound where the name fits several
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

/** The key of an entity in a flow; the name itself where no entity has it. */
async function keyNamed(
  store: Entities & Pick<Store, 'work'>,
  account: string,
  flow: FlowName,
  name: string,
): Promise<string> {
  if ((await store.work.get({ account, flow, key: name })) !== null) return name;
  const { links: kind } = descriptorOf(flow);
  // An id of the side that the keys name is the key itself, even if an entity of the other side has the same id.
  const whole = await store.entities.named(account, name, { beginning: false, kind }, NAMED);
  if (whole.some((ids) => keyIn(flow, ids) === name)) return name;
  const found = await findEntity(store, account, name, kind);
  return (found === null ? null : keyIn(flow, found)) ?? name;
}

/** The key of an entity in a flow, in the first of these accounts that has an entity of this name. */
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
 * The name itself, and the ids of the entity that it names in these accounts. All records of the entity stand under one of them.
 * @throws NotFound where the name fits several
 */
export async function idsNamed(store: Entities, accounts: readonly string[], name: string): Promise<string[]> {
  const found = await Promise.all(accounts.map((account) => findEntity(store, account, name, null)));
  const ids = found.flatMap((entity) => [entity?.marketplaceId, entity?.erpId]);
  return [...new Set([name, ...ids.filter((id) => id != null)])];
}

/** The key under which a flow looks at an entity; null where the entity is not on the side that its keys name. */
export function keyIn(flow: FlowName, { marketplaceId, erpId }: EntityIds): string | null {
  return isKeyedByErp(flow) ? erpId : marketplaceId;
}

/** The kind of entity that a flow looks at; undefined for a text that names no flow. */
export function kindNamed(flow: string): MappingKind | undefined {
  return isFlow(flow) ? descriptorOf(flow).links : undefined;
}

/** Are the keys of the flow ids of the ERP, and not of the marketplace? */
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
