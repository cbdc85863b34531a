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

/** Every kind of connector. No other place names a connector. A new connector needs a folder and a line here. */
const CONNECTORS: readonly [ConnectorKind, ...ConnectorKind[]] = [
  contractErp,
  filesErp,
  restErp,
  sqlErp,
  tryton,
  moduleErp,
];

const [first, ...others] = CONNECTORS;

/** The ways to connect an ERP that `stockbridge init` offers. */
export const OFFERS: Readonly<Record<string, Offer>> = Object.fromEntries(
  CONNECTORS.flatMap(({ offers }) => Object.entries(offers)),
);

/** The section `erp` of an account. */
export const erpSection = z.discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)]);

/** The kind of a section that fits its schema. */
export function kindOf({ type }: Pick<ErpSection, 'type'>): ConnectorKind {
  const kind = CONNECTORS.find((one) => one.type === type);
  if (kind === undefined) throw new Error(`there is no connector ${type}`);
  return kind;
}

/** The schema of a preset file, which `erp.extends` names, by the `type` that the file says. One that says none describes a `rest`. */
export function presetFileOf(type: unknown): z.ZodType {
  return type === 'sql' ? sqlPreset : restPreset;
}
