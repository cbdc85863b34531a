import { z } from 'zod';
import { contractErp } from './contract/kind.ts';
import { filesErp } from './files/kind.ts';
import type { ConnectorKind, ErpSection } from './kind.ts';
import { restErp } from './rest/kind.ts';
import { sqlErp } from './sql/kind.ts';
import { tryton } from './tryton/kind.ts';

/** Every kind of connector. This is the only place that names one: a new one is its folder and a line here. */
const CONNECTORS: readonly [ConnectorKind, ...ConnectorKind[]] = [contractErp, filesErp, restErp, sqlErp, tryton];

const [first, ...others] = CONNECTORS;

/** The section `erp` of an account. */
export const erpSection = z.discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)]);

/** The kind of a section that fits its schema. */
export function kindOf({ type }: Pick<ErpSection, 'type'>): ConnectorKind {
  const kind = CONNECTORS.find((one) => one.type === type);
  if (kind === undefined) throw new Error(`there is no connector ${type}`);
  return kind;
}

/** A preset of a connector: what `erp.extends` names. */
export { presetFile as erpPresetFile } from './rest/preset.ts';
