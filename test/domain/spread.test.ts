import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Peer, type Shared, spread } from '../../src/domain/spread.ts';

const NAMES = ['berlin', 'paris', 'rome'];
const peers = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    name: fc.constantFrom(...NAMES),
    isNew: fc.constant(false),
  }),
  {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 6,
  },
);
const accounts = (pins: fc.Arbitrary<readonly string[] | null>) =>
  fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1, maxLength: 4 }), daemons: pins }), {
    selector: ({ name }) => name,
    maxLength: 40,
  });
const anywhere = fc.constant(null);
const pinned = fc.option(fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }), { nil: null, freq: 3 });

const loadsOf = (target: ReadonlyMap<string, string>, all: readonly Peer[]) =>
  all.map(({ id }) => [...target.values()].filter((one) => one === id).length);
/** A daemon held these accounts before. That daemon may be gone. */
const heldBy = (all: readonly Shared[], some: readonly Peer[], seed: number) =>
  new Map(all.map(({ name }, index) => [name, some[(index * seed) % (some.length + 1)]?.id ?? 'gone'] as const));

test('every account is worked by one daemon, and no daemon has two more than another', () => {
  fc.assert(
    fc.property(accounts(anywhere), peers, fc.nat(50), (all, some, seed) => {
      const target = spread(all, some, heldBy(all, some, seed));
      expect(target.size).toBe(all.length);
      const loads = loadsOf(target, some);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a pinned account is worked by a daemon of that name alone, and by none while there is none', () => {
  fc.assert(
    fc.property(accounts(pinned), peers, fc.nat(50), (all, some, seed) => {
      const target = spread(all, some, heldBy(all, some, seed));
      for (const { name, daemons } of all) {
        const allowed = some.filter((peer) => daemons?.includes(peer.name) ?? true).map(({ id }) => id);
        const id = target.get(name);
        if (allowed.length === 0) expect(id).toBeUndefined();
        else expect(allowed).toContain(id);
      }
    }),
  );
});

test('the distribution of accounts is stable: nothing moves without a reason, in any order of input', () => {
  fc.assert(
    fc.property(accounts(pinned), peers, fc.nat(50), (all, some, seed) => {
      const target = spread(all, some, heldBy(all, some, seed));
      expect(spread(all.toReversed(), some.toReversed(), target)).toEqual(target);
    }),
  );
});

test('when a daemon dies, only its accounts move; when one joins, no more move than its share', () => {
  fc.assert(
    fc.property(accounts(anywhere), peers, fc.nat(50), (all, some, seed) => {
      const before = spread(all, some, heldBy(all, some, seed));
      const joined = spread(all, [...some, { id: 'zz', name: 'oslo', isNew: false }], before);
      const moved = [...joined].filter(([name, id]) => before.get(name) !== id);
      expect(moved.every(([, id]) => id === 'zz')).toBe(true);
      expect(moved.length).toBeLessThanOrEqual(Math.ceil(all.length / (some.length + 1)));
      const left = spread(all, some, joined);
      expect([...joined].every(([name, id]) => id === 'zz' || left.get(name) === id)).toBe(true);
    }),
  );
});

test('daemons that each decide by what they see reach the same distribution, with one holder per account at every step', () => {
  fc.assert(
    fc.property(accounts(pinned), peers, fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }), (all, some, turns) => {
      const held = new Map<string, string>();
      const turn = (me: string): boolean => {
        const target = spread(all, some, held);
        const before = JSON.stringify([...held]);
        for (const [name, holder] of held) if (holder === me && target.get(name) !== me) held.delete(name);
        for (const [name, id] of target) if (id === me && !held.has(name)) held.set(name, me);
        return JSON.stringify([...held]) !== before;
      };
      for (const at of turns) turn(some[at % some.length]?.id ?? '');
      let rounds = 0;
      while (some.map(({ id }) => turn(id)).includes(true)) {
        rounds += 1;
        expect(rounds).toBeLessThan(10);
      }
      expect(held).toEqual(new Map(spread(all, some, held)));
    }),
  );
});

test.each([2, 3, 4, 5])('when one of %i daemons dies, its accounts move once, and no other account moves', (count) => {
  const ids = Array.from({ length: count }, (_, at) => `d${at}`);
  const peersOf = (living: readonly string[]) => living.map((id) => ({ id, name: id, isNew: false }));
  for (let size = 1; size <= 30; size += 1) {
    const shared = Array.from({ length: size }, (_, at) => ({ name: `a${at}`, daemons: null }));
    const before = spread(shared, peersOf(ids), new Map());
    const after = spread(shared, peersOf(ids.slice(1)), before);
    const moved = shared.filter(({ name }) => before.get(name) !== after.get(name));
    expect(moved.map(({ name }) => before.get(name))).toEqual(moved.map(() => 'd0'));
    expect(spread(shared, peersOf(ids.slice(1)), after)).toEqual(after);
  }
});

test.each([2, 3, 4, 5])(
  'when one of %i daemons dies and is started again, its accounts move once, and no other account moves',
  (count) => {
    const others = Array.from({ length: count - 1 }, (_, at) => ({ id: `d${at}`, name: 'paris', isNew: false }));
    const died = { id: 'died', name: 'rome', isNew: false };
    for (const again of ['a-again', 'z-again']) {
      for (let size = 1; size <= 30; size += 1) {
        const shared = Array.from({ length: size }, (_, at) => ({ name: `a${at}`, daemons: null }));
        const before = spread(shared, [...others, died], new Map());
        // Its leases have not run out, so it counts as living, and the program that was started again stands beside it.
        const beside = spread(shared, [...others, died, { id: again, name: 'rome', isNew: true }], before);
        expect(beside).toEqual(before);
        const left = new Map([...before].filter(([, id]) => id !== 'died'));
        const after = spread(shared, [...others, { id: again, name: 'rome', isNew: true }], left);
        const moved = shared.filter(({ name }) => before.get(name) !== after.get(name));
        expect(moved.map(({ name }) => before.get(name))).toEqual(moved.map(() => 'died'));
        expect(spread(shared, [...others, { id: again, name: 'rome', isNew: false }], after)).toEqual(after);
      }
    }
  },
);
