/**
 * The size of a random proof: small at each run, `PROOF=large` in a night and before a release. What only the large one
 * finds is found the same night, with its seed: `PROOF=large SEED=1234 npm test -- kill.test` goes over it again.
 */
export const proofSize = <Size>({ small, large }: { readonly small: Size; readonly large: Size }): Size =>
  process.env['PROOF'] === 'large' ? large : small

const fixedSeed = 20_261_127

/** The seeds of this run's random proofs: one that is always the same, one of this run; `SEED` alone where it is set. */
export const proofSeeds = (): readonly number[] => {
  const told = process.env['SEED']
  return told === undefined ? [fixedSeed, Math.floor(Math.random() * 2 ** 31)] : [Number(told)]
}

/** A small generator with a seed (mulberry32), so that a run can be repeated. Gives 0 to below 1. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
