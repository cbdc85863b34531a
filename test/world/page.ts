import { type Cell, type Impossible, type Outcome, outcomeOf, type Playable, type Way } from './cell.ts';
import { TABLE } from './table.ts';
import { HAPPENINGS, type Happening, keysOf, SIDES, type Side, THINGS, type Thing, TIMES, type Time } from './words.ts';

/** The time of which the rows speak. */
const USUAL: Time = 'while quiet';

const HEAD = `# What happens when ...

People change things on both sides, at any time. This page has every kind of thing and everything that can happen to it, on either
side, and what Stockbridge does then. \`stockbridge guide when order\` prints the part about orders. The page is made from a table,
and a test plays the rows of that table with the program itself.

- **Carried over**: the other side gets it, and nobody has to act.
- **Held**: it waits for a person. \`status\` names the code, and the [page on messages](messages.md) has the next step of each code.
- **Told**: the work goes on, and \`status\` tells a person, with a code.
- **Noted**: the work goes on, and the journal and the counts of a day have it.
- **Left alone**: nothing is done, for the given reason. Where the reason is a setting, that setting changes it.

The rows are for the time when both sides are linked and quiet, for inventory strategy b, with customers and payments kept in step
in both directions, for limits that no brake reaches, and for transport orders with \`orders.transports\`. With lower limits, a brake
may hold a change that is carried over here. Other times, such as before the first start or while a side is away, are named where the
program does something else, and the test judges all of them.
`;

/** The page of the guide, as Markdown. */
export function whenPage(): string {
  return `${HEAD}\n${keysOf(THINGS).map(sectionOf).join('\n')}`;
}

function sectionOf(thing: Thing): string {
  const name = THINGS[thing];
  const rows = keysOf(HAPPENINGS).filter((happening) =>
    keysOf(SIDES).some((side) => isPlayable(TABLE[thing][happening][side])),
  );
  const head = `## ${capital(name)}\n`;
  const sides = keysOf(SIDES).filter((side) => rows.some((happening) => cellText(thing, happening, side) !== ''));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = rows.map((happening) =>
    line([HAPPENINGS[happening], ...sides.map((side) => cellText(thing, happening, side))]),
  );
  const columns = [`When ${name} ...`, ...sides.map((side) => SIDES[side])];
  const shown = rows.length === 0 ? [] : [line(columns), `|${'---|'.repeat(columns.length)}`, ...table, ''];
  return [head, ...shown, ...othersOf(thing), ''].join('\n');
}

function isPlayable(cell: Cell): cell is Playable {
  return !('impossible' in cell);
}

/** Another row has it. */
function isElsewhere({ impossible }: Impossible): boolean {
  return impossible.startsWith('see ');
}

function cellText(thing: Thing, happening: Happening, side: Side): string {
  const cell = TABLE[thing][happening][side];
  if (!isPlayable(cell)) return isElsewhere(cell) ? '' : `Cannot be: ${cell.impossible}.`;
  const ways = Object.entries(cell.acts);
  const textAt = ([, way]: readonly [string, Way], time: Time) => textOf(outcomeOf(cell, way, time));
  const usual = byText(ways, (way) => textAt(way, USUAL)).map(({ names, text }) =>
    names === '' ? text : `${names}: ${text}`,
  );
  const exceptions = keysOf(TIMES).flatMap((time) => {
    if (whyNever(cell, time) !== null) return [];
    const other = ways.filter((way) => textAt(way, time) !== textAt(way, USUAL));
    return byText(other, (way) => textAt(way, time), ways.length).map((one) => ({ ...one, time }));
  });
  const times = [...Map.groupBy(exceptions, ({ names, text }) => `${names === '' ? '' : ` (${names})`}: ${text}`)].map(
    ([what, all]) => `${all.map(({ time }) => TIMES[time]).join(', ')}${what}`,
  );
  return [...usual, ...times].map((text) => `${capital(text)}.`).join(' ');
}

/** The ways with the same text, once. Their names are left out where all ways of the cell have it. */
function byText(
  ways: readonly (readonly [string, Way])[],
  textOfWay: (way: readonly [string, Way]) => string,
  all = ways.length,
): { readonly names: string; readonly text: string }[] {
  return [...Map.groupBy(ways, textOfWay)].map(([text, same]) => ({
    names: same.length === all ? '' : same.map(([name]) => name).join(', '),
    text,
  }));
}

/** The one reason why it cannot happen at this time; null where it can, in some way. */
function whyNever(cell: Playable, time: Time): string | null {
  const outcomes = Object.values(cell.acts).map((way) => outcomeOf(cell, way, time));
  const whys = new Set(outcomes.map((outcome) => ('impossible' in outcome ? outcome.impossible : null)));
  const [why = null] = whys;
  return whys.size === 1 ? why : null;
}

/** The happenings that cannot be at some times, with each reason once. */
function neverAt(thing: Thing, side: Side): string[] {
  const cells = keysOf(HAPPENINGS).flatMap((happening) => {
    const cell = TABLE[thing][happening][side];
    return isPlayable(cell) ? [{ happening, cell }] : [];
  });
  const found = keysOf(TIMES).flatMap((time) =>
    [...Map.groupBy(cells, ({ cell }) => whyNever(cell, time))].flatMap(([why, all]) => {
      if (why === null) return [];
      const names = all.map((one) => HAPPENINGS[one.happening]).join(', ');
      const what = all.length === cells.length ? 'nothing of it can be' : `${names}: cannot be`;
      return [{ time, text: `${SIDES[side]}: ${what}, because ${why}.` }];
    }),
  );
  return [...Map.groupBy(found, ({ text }) => text)].map(
    ([text, all]) => `- ${all.map(({ time }) => TIMES[time]).join(', ')}, ${text}`,
  );
}

function textOf(outcome: Outcome | Impossible): string {
  if ('impossible' in outcome) return `cannot be, because ${outcome.impossible}`;
  switch (outcome.is) {
    case 'carried':
      return 'carried over';
    case 'held':
    case 'told':
      return `${outcome.is}: ${outcome.codes.map((code) => `\`${code}\``).join(', ')}`;
    case 'noted':
      return `noted as \`${outcome.action}\``;
    case 'left':
      return `left alone: ${outcome.because}`;
  }
}

/** The happenings that a thing cannot have, with the reasons. */
function othersOf(thing: Thing): string[] {
  const reasons = new Map<string, Happening[]>();
  for (const happening of keysOf(HAPPENINGS)) {
    const { marketplace, erp } = TABLE[thing][happening];
    if (isPlayable(marketplace) || isPlayable(erp) || (isElsewhere(marketplace) && isElsewhere(erp))) continue;
    const why =
      marketplace.impossible === erp.impossible ? erp.impossible : `${marketplace.impossible}; ${erp.impossible}`;
    reasons.set(why, [...(reasons.get(why) ?? []), happening]);
  }
  const shortestFirst = [...reasons].toSorted(([, one], [, other]) => one.length - other.length);
  const never = shortestFirst.map(([why, all], index) => {
    const isRest = index === shortestFirst.length - 1 && all.length >= MANY;
    const what = isRest ? 'every other change' : all.map((one) => HAPPENINGS[one]).join(', ');
    return `- ${what}: cannot be, because ${why}.`;
  });
  const times = keysOf(SIDES).flatMap((side) => neverAt(thing, side));
  return [...never, ...times];
}

/** So many happenings with one reason are not listed one by one: nobody reads such a list. */
const MANY = 8;

function capital(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

/** How many cells of the table have which outcome. */
export function countsOf(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { cells: 0 };
  const add = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const thing of keysOf(THINGS))
    for (const happening of keysOf(HAPPENINGS))
      for (const side of keysOf(SIDES))
        for (const time of keysOf(TIMES)) {
          const cell = TABLE[thing][happening][side];
          add('cells');
          if (!isPlayable(cell)) {
            add('impossible');
            continue;
          }
          const [way] = Object.values(cell.acts) as [Way];
          const outcome = outcomeOf(cell, way, time);
          add('impossible' in outcome ? 'impossible' : outcome.is);
        }
  return counts;
}
