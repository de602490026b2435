/** The seed that each run has, beside one of its own. */
const fixedSeed = 20_261_127

/** `PROOF=large` for a night or a release: what a random proof looks at in each run is a sample of it. */
export const isLargeProof = process.env['PROOF'] === 'large'

export const proofSize = <T>({ small, large }: { readonly small: T; readonly large: T }): T =>
  isLargeProof ? large : small

/** A fixed one and a random one, for a proof to print; `SEED` alone repeats a run. */
export const proofSeeds = (): readonly number[] => {
  const given = process.env['SEED']
  return given === undefined ? [fixedSeed, Math.floor(Math.random() * 2 ** 31)] : [Number(given)]
}
