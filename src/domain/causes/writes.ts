import { counted } from '../counted.ts';
import { nobody, on, operator, orNull } from './entry.ts';

interface Write {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
}

const EXCEEDS = 'would be one of 12 in this pass, more than 10';
const WRITE: Write = {
  action: 'product.archive',
  target: 'listing 4711 (SB-0001)',
  before: 'listed',
  after: 'archived',
};

function shown({ action, target, before, after }: Write): string {
  return `${action} ${target} (${before} -> ${after})`;
}

const DRY_RUN_CODES = on('going-live', {
  'dry-run': operator(
    ({ action, target }) => `The mode is dry-run: ${action} ${target} would be written`,
    'Set mode to live when the plan is right.',
    { action: 'product.create', target: 'a listing for SB-0001' },
  ),
});

export const WRITE_CODES = {
  ...DRY_RUN_CODES,
  ...on('failures', {
    paused: operator(({ reason }) => `The flow is paused: ${reason}`, 'To let it go on: stockbridge resume FLOW', {
      reason: 'stocktaking',
    }),
    'rules-disagree': operator(
      ({ steps }) => `${steps} steps did not bring both sides into step, so two rules disagree`,
      'This is a mistake of the program: report it with the output of "stockbridge jobs show".',
      { steps: 12 },
    ),
    'ids-linked-otherwise': operator(
      ({ kind, ids, linked }) =>
        `${kind} ${ids[0]} of the marketplace and ${ids[1]} of the ERP cannot be linked, because ${linked[0]} and ${linked[1]} are linked already`,
      ({ kind, ids }) =>
        `If that is wrong, replace the link: stockbridge map link ${kind} ${ids[0]} ${ids[1]} --replace`,
      { kind: 'product', ids: ['4711', 'P-1'], linked: ['4711', 'P-9'] },
    ),
  }),
};

export const BRAKE_CODES = on('brakes', {
  'links-unknown': nobody(
    'The listings are not all linked yet, so nobody can tell how much of their stock changes',
    'Nothing to do: it goes on when the listings have been compared with the ERP.',
  ),
  'brake-kind-waits': operator(
    ({ brake, exceeds }) => `The brake ${brake} holds everything of its kind, because each write ${exceeds}`,
    'Look at the plan, then approve or drop it: stockbridge brakes list',
    { brake: 'archive', exceeds: EXCEEDS },
  ),
  'brake-refused': operator(
    ({ brake, state, by, ...write }) => `The brake ${brake} holds ${shown(write)}, which was ${state} by ${by}`,
    'Nothing to do: it is held until another value is to be written. To let it pass after all: stockbridge brakes list',
    { brake: 'archive', ...WRITE, state: 'vetoed', by: 'anna' },
  ),
  'brake-plan': operator(
    ({ brake, exceeds, waits, plan, ...write }) =>
      `The brake ${brake} holds ${shown(write)}, which ${waits ? 'waits for an operator, because it ' : ''}${exceeds}${plan === null ? '' : `; it is in plan ${plan}`}`,
    'Look at the plan, then approve or drop it: stockbridge brakes list',
    { brake: 'archive', ...WRITE, exceeds: EXCEEDS, waits: false, plan: orNull(3) },
  ),
});

export const STRATEGY_CODES = on('strategies', {
  'strategy-waits': operator(
    ({ inForce, configured, open }) =>
      `The strategy was changed from ${inForce} to ${configured} while ${counted(open, 'order')} ${open === 1 ? 'is' : 'are'} open`,
    ({ inForce, configured }) =>
      `See "stockbridge plan --strategy ${configured}", then add --approve to it, or set inventory.strategy back to ${inForce}.`,
    { inForce: 'submitted-available', configured: 'fulfilled-quantity', open: 4 },
  ),
});
