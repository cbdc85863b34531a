import { InvalidArgumentError } from 'commander';
import { type Preset, readPresetNamed } from '../config/presets.ts';
import { RECORD_FIELDS, RECORD_KINDS, type RecordKind } from '../marketplace/operations/record-names.ts';
import { DEFAULT_SETTINGS, type Settings } from '../sandbox/marketplace/settings.ts';
import type { WebhookTarget } from '../sandbox/marketplace/webhook-sender.ts';

export interface Deployment {
  readonly settings: Partial<Settings>;
  /** How webhooks are signed, where it differs. */
  readonly webhooks: Pick<WebhookTarget, 'header' | 'algorithm' | 'encoding' | 'prefix'>;
}

/** For `--deployment`. */
export function deploymentOf(wanted: string): Deployment {
  try {
    const preset = readPresetNamed(wanted, '.');
    return { settings: settingsOf(preset), webhooks: preset.marketplace?.webhooks ?? {} };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function settingsOf({ marketplace = {}, inventory = {}, products = {} }: Preset): Partial<Settings> {
  const { version, version_header: versionHeader, statuses, operations, transitions = {} } = marketplace;
  const { reference_prefix: referencePrefix, fields } = marketplace;
  const fieldNames = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, namesOf(kind, fields?.[kind] ?? {})]));
  const set = {
    versions: version === undefined ? undefined : [version],
    versionHeader,
    operations,
    referencePrefix,
    fieldNames,
    words: {
      order: { status: firstWords(statuses), discount_type: firstWords(marketplace.discount_types) },
      product: { listing_state: firstWords(marketplace.listing_states) },
    },
    transitions: renamed(transitions),
    requiredProductFields: products.required?.map((name) => usualName(fieldNames['product'] ?? {}, name)),
    lineQuantityIn: inventory.line_quantity_in,
    stockIn: inventory.stock_in,
    pricePer: marketplace.price_per,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

/** Fields with another name in this deployment, by their usual names. */
function namesOf(kind: RecordKind, places: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const usual: Readonly<Record<string, string>> = RECORD_FIELDS[kind];
  const named = Object.entries(places).map(([setting, place]) => [usual[setting] ?? setting, place ?? ''] as const);
  return Object.fromEntries(named.filter(([name, place]) => place !== '' && place !== name));
}

function usualName(names: Readonly<Record<string, string>>, here: string): string {
  return Object.keys(names).find((name) => names[name] === here) ?? here;
}

/** The deployment's first word for each usual one. */
function firstWords(words: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(words)
      .map(([theirs, ours]) => [ours, theirs] as const)
      .toReversed(),
  );
}

/** The sandbox's transitions by the deployment's names. */
function renamed(names: Readonly<Record<string, string | undefined>>): Settings['transitions'] {
  const rules = Object.entries(DEFAULT_SETTINGS.transitions);
  return Object.fromEntries(rules.map(([name, rule]) => [names[name] ?? name, rule]));
}
