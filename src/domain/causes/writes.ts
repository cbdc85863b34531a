import { counted } from '../counted.ts';
import { on } from './entry.ts';

interface Write {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface InPlan extends Write {
  readonly brake: string;
  readonly exceeds: string;
  /** It was put into a plan before, and waits for an operator since. */
  readonly waits: boolean;
  readonly plan: number | null;
}

const EXCEEDS = 'would be one of 12 in this pass, more than 10';
const WRITE = { action: 'product.archive', target: 'listing 4711 (SB-0001)', before: 'listed', after: 'archived' };

function shown({ action, target, before, after }: Write): string {
  return `${action} ${target} (${before} -> ${after})`;
}

export const WRITE_CODES = on('running', {
  'dry-run': {
    turn: 'operator',
    text: ({ action, target }: { action: string; target: string }) =>
      `The mode is dry-run: it would ${action} ${target}`,
    next: 'Set mode to live when the plan is right.',
    example: { action: 'product.create', target: 'a listing for SB-0001' },
  },
  paused: {
    turn: 'operator',
    text: ({ reason }: { reason: string }) => `The flow is paused: ${reason}`,
    next: 'When it may go on: stockbridge resume FLOW',
    example: { reason: 'stocktaking' },
  },
  'rules-disagree': {
    turn: 'operator',
    text: ({ steps }: { steps: number }) => `${steps} steps did not bring both sides into step, so two rules disagree`,
    next: 'This is a mistake of the program: report it with the output of "stockbridge jobs show".',
    example: { steps: 12 },
  },
  'ids-linked-otherwise': {
    turn: 'operator',
    text: ({ kind, ids, linked }: { kind: string; ids: string[]; linked: string[] }) =>
      `${kind} ${ids[0]} of the marketplace and ${ids[1]} of the ERP cannot be linked, because ${linked[0]} and ${linked[1]} are linked already`,
    next: ({ kind, ids }) =>
      `If that is wrong, replace the link: stockbridge map link ${kind} ${ids[0]} ${ids[1]} --replace`,
    example: { kind: 'product', ids: ['4711', 'P-1'], linked: ['4711', 'P-9'] },
  },
});

export const BRAKE_CODES = on('brakes', {
  'links-unknown': {
    turn: 'nobody',
    text: () => 'The listings are not all linked yet, so nobody can tell how much of their stock changes',
    next: 'Nothing to do: it goes on when the listings have been compared with the ERP.',
    example: {},
  },
  'brake-kind-waits': {
    turn: 'operator',
    text: ({ brake, exceeds }: { brake: string; exceeds: string }) =>
      `The brake ${brake} holds everything of its kind, because each write ${exceeds}`,
    next: 'Look at the plan, then approve or drop it: stockbridge brakes list',
    example: { brake: 'archive', exceeds: EXCEEDS },
  },
  'brake-refused': {
    turn: 'operator',
    text: ({ brake, state, by, ...write }: Write & { brake: string; state: string; by: string }) =>
      `The brake ${brake} holds ${shown(write)}, which was ${state} by ${by}`,
    next: 'Nothing to do: it is held until it is another write.',
    example: { brake: 'archive', ...WRITE, state: 'vetoed', by: 'anna' },
  },
  'brake-plan': {
    turn: 'operator',
    text: ({ brake, exceeds, waits, plan, ...write }: InPlan) =>
      `The brake ${brake} holds ${shown(write)}, which ${waits ? 'waits for an operator, because it ' : ''}${exceeds}${plan === null ? '' : `; it is in plan ${plan}`}`,
    next: 'Look at the plan, then approve or drop it: stockbridge brakes list',
    example: { brake: 'archive', ...WRITE, exceeds: EXCEEDS, waits: false, plan: 3 },
  },
});

export const STRATEGY_CODES = on('strategies', {
  'strategy-waits': {
    turn: 'operator',
    text: ({ inForce, configured, open }: { inForce: string; configured: string; open: number }) =>
      `The strategy was changed from ${inForce} to ${configured} while ${counted(open, 'order')} ${open === 1 ? 'is' : 'are'} open`,
    next: ({ inForce, configured }) =>
      `See "stockbridge plan --strategy ${configured}", then add --approve to it, or set inventory.strategy back to ${inForce}.`,
    example: { inForce: 'submitted-available', configured: 'fulfilled-quantity', open: 4 },
  },
});
