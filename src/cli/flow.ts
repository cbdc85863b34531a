import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../config/suggest.ts';
import { FLOWS } from '../flows/engine/flow.ts';
import { ALL_FLOWS } from '../store/sqlite/pauses.ts';

const PAUSABLE = [...FLOWS, ALL_FLOWS];

/** @throws InvalidArgumentError for anything but a flow or `all` */
export function pausableFlow(text: string): string {
  if (PAUSABLE.includes(text)) return text;
  const hint = didYouMean(text, PAUSABLE) || '.';
  throw new InvalidArgumentError(`"${text}" is no flow${hint} Flows are ${PAUSABLE.join(', ')}.`);
}
