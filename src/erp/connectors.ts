import { z } from 'zod';
import { contractErp } from './contract/kind.ts';
import { filesErp } from './files/kind.ts';
import type { ConnectorKind, ErpSection, Offer } from './kind.ts';
import { moduleErp } from './module/kind.ts';
import { restErp } from './rest/kind.ts';
import { presetFile as restPreset } from './rest/preset.ts';
import { sqlErp } from './sql/kind.ts';
import { presetFile as sqlPreset } from './sql/preset.ts';
import { tryton } from './tryton/kind.ts';

/** All kinds of connectors. A new one needs a folder and a line here. */
const CONNECTORS: readonly [ConnectorKind, ...ConnectorKind[]] = [
  contractErp,
  filesErp,
  restErp,
  sqlErp,
  tryton,
  moduleErp,
];

const [first, ...others] = CONNECTORS;

export const OFFERS: Readonly<Record<string, Offer>> = Object.fromEntries(
  CONNECTORS.flatMap(({ offers }) => Object.entries(offers)),
);

export const erpSection = z.discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)]);

/** @throws Error for an unknown type */
export function kindOf({ type }: Pick<ErpSection, 'type'>): ConnectorKind {
  const kind = CONNECTORS.find((one) => one.type === type);
  if (kind === undefined) throw new Error(`there is no connector ${type}`);
  return kind;
}

/** The schema of a preset file that `erp.extends` names. A file without `type` is a `rest`. */
export function presetFileOf(type: unknown): z.ZodType {
  return type === 'sql' ? sqlPreset : restPreset;
}
