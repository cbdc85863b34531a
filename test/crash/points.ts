import type { Point } from './effects.ts';

/** Every point of a run with so many effects. */
export function pointsOf(effects: number): Point[] {
  return Array.from({ length: effects }, (_, index) => index + 1).flatMap((effect) => [
    { effect, moment: 'before' as const },
    { effect, moment: 'after' as const },
  ]);
}

/** `before:30` */
export function show({ effect, moment }: Point): string {
  return `${moment}:${effect}`;
}

/** @throws Error when the text is none */
export function pointOf(text: string): Point {
  const [, moment, effect] = /^(before|after):([1-9]\d*)$/.exec(text) ?? [];
  if (moment !== 'before' && moment !== 'after') throw new Error(`${text} is no point: one is "before:3", "after:12"`);
  return { effect: Number(effect), moment };
}
