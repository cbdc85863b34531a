import { InvalidArgumentError } from 'commander';
import { type Preset, readPresetNamed } from '../config/presets.ts';
import { DEFAULT_SETTINGS, type Settings } from '../sandbox/marketplace/settings.ts';

/** A deployment that the sandbox plays. */
export interface Deployment {
  readonly settings: Partial<Settings>;
  /** The header that signs webhooks. */
  readonly header: string | undefined;
}

/** The option `--deployment`. */
export function deploymentOf(wanted: string): Deployment {
  try {
    const preset = readPresetNamed(wanted, '.');
    return { settings: settingsOf(preset), header: preset.marketplace?.webhooks?.header };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function settingsOf({ marketplace = {}, inventory = {}, products = {} }: Preset): Partial<Settings> {
  const { version, version_header: versionHeader, statuses = {}, operations, transitions = {} } = marketplace;
  const set = {
    versions: version === undefined ? undefined : [version],
    versionHeader,
    operations,
    statusWords: Object.fromEntries(Object.entries(statuses).map(([theirs, ours]) => [ours, theirs])),
    transitions: renamed(transitions),
    requiredProductFields: products.required,
    lineQuantityIn: inventory.line_quantity_in,
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}

/** The transitions of the sandbox, by the names that a deployment gives them. */
function renamed(names: Readonly<Record<string, string | undefined>>): Settings['transitions'] {
  const rules = Object.entries(DEFAULT_SETTINGS.transitions);
  return Object.fromEntries(rules.map(([name, rule]) => [names[name] ?? name, rule]));
}
