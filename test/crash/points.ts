import type { Point } from './effects.ts';

/** Every point of a run with these lines of effects. */
export function pointsOf(effects: readonly string[]): Point[] {
  return effects.map(effectOf).flatMap((effect) => [
    { effect, moment: 'before' as const },
    { effect, moment: 'after' as const },
  ]);
}

/** @param line of the file of effects */
export function effectOf(line: string): string {
  return line.split(': ')[0] ?? line;
}

/** `before:commit 30` */
export function show({ effect, moment }: Point): string {
  return `${moment}:${effect}`;
}

/** @throws Error when the text names no point */
export function pointOf(text: string): Point {
  const [, moment, effect] = /^(before|after):(.+ [1-9]\d*)$/.exec(text) ?? [];
  if ((moment !== 'before' && moment !== 'after') || effect === undefined)
    throw new Error(`${text} is no point: one is "before:commit 3", "after:POST /v1/orders 1"`);
  return { effect, moment };
}
