import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { didYouMean } from '../config/suggest.ts';
import { type Fault as ErpFault, fault as erpFaultSchema } from '../sandbox/erp/faults.ts';
import { type Fault, faultSchema, parseFault } from '../sandbox/marketplace/faults.ts';

export interface SandboxFaults {
  readonly marketplace: readonly Fault[];
  readonly erp: readonly ErpFault[];
}

const NO_FAULTS: SandboxFaults = { marketplace: [], erp: [] };

const MARKETPLACE_FAULTS: readonly string[] = faultSchema.options.map(({ shape }) => shape.kind.value);
const ERP_FAULTS: readonly string[] = erpFaultSchema.def.right.options.map(({ shape }) => shape.kind.value);

/** What VALUE in NAME=VALUE sets. The default is how many times the fault occurs. */
const VALUE_OF: Readonly<Record<string, string>> = {
  'delay-before': 'ms',
  'delay-after': 'ms',
  'status-before': 'status',
  'status-after': 'status',
  'rate-limit': 'retryAfterSeconds',
  'foreign-calls': 'perSecond',
  'next-lies': 'next',
  'field-ignored': 'field',
  'sparse-answer': 'keep',
  'late-rows': 'ms',
  'command-pending': 'ms',
  'command-failed': 'reason',
  'webhook-late': 'ms',
  'webhook-reordered': 'batch',
  status: 'status',
  delay: 'delayMs',
  'slow-answer': 'delayMs',
  shrink: 'keep',
  stale: 'byMs',
};

/**
 * Adds a `--fault`: `NAME`, `NAME=VALUE` or `NAME@operation`, followed by `,setting=value` parts. The name decides the
 * side.
 * @throws InvalidArgumentError
 */
export function addFault(text: string, before: SandboxFaults = NO_FAULTS): SandboxFaults {
  const [name = ''] = /^[^,@=]*/.exec(text) ?? [];
  const spelled = text.replace(/^([^,@=]+)=/, (_all, kind: string) => `${kind},${VALUE_OF[kind] ?? 'times'}=`);
  if (MARKETPLACE_FAULTS.includes(name)) {
    return { ...before, marketplace: [...before.marketplace, marketplaceFault(spelled)] };
  }
  if (ERP_FAULTS.includes(name)) return { ...before, erp: [...before.erp, erpFault(spelled)] };
  const hint = didYouMean(name, [...MARKETPLACE_FAULTS, ...ERP_FAULTS]);
  throw new InvalidArgumentError(`"${name}" is no fault${hint || '.'}\n${listFaults()}`);
}

export function listFaults(): string {
  return `Faults of the marketplace: ${MARKETPLACE_FAULTS.join(', ')}.\nFaults of the ERP: ${ERP_FAULTS.join(', ')}.`;
}

function marketplaceFault(text: string): Fault {
  try {
    return parseFault(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function erpFault(text: string): ErpFault {
  const [kind = '', ...parts] = text.split(',');
  const settings = parts.map((part) => {
    const [key = '', value = ''] = part.split('=');
    return [key, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value === 'true' ? true : value];
  });
  const { data, error } = erpFaultSchema.safeParse({ times: null, kind, ...Object.fromEntries(settings) });
  if (error) throw new InvalidArgumentError(`fault "${text}": ${z.prettifyError(error).replace(/\s*\n\s*/g, ' ')}`);
  return data;
}
