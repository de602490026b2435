import type { SessionReport } from './report.ts'

type Lane = Pick<SessionReport['coverage'][number], 'account' | 'expectedMs' | 'heldMs' | 'lane' | 'observedMs'>

/** What does not add up in the account of a lane. */
export const accountProblems = ({ lane, account, expectedMs, observedMs, heldMs }: Lane): string[] => {
  const lengthOf = (is: (stretch: Lane['account'][number]) => boolean): number =>
    account.filter(is).reduce((ms, { fromAt, toAt }) => ms + Date.parse(toAt) - Date.parse(fromAt), 0)
  const sums = [
    ['observed', observedMs, lengthOf(({ state }) => state === 'observed')],
    ['expected', expectedMs, observedMs + lengthOf(({ state }) => state === 'gap')],
    ['held', heldMs, lengthOf(({ held, state }) => held && state === 'observed')],
  ] as const
  return [
    ...sums.flatMap(([what, told, summed]) =>
      told === summed ? [] : [`${lane}: ${told} ms ${what}, but ${summed} by its stretches`],
    ),
    ...account.flatMap(({ fromAt, toAt }, n) => {
      const before = account[n - 1]?.toAt ?? fromAt
      if (fromAt !== before) return [`${lane}: a stretch begins at ${fromAt}, the one before it ended at ${before}`]
      return toAt > fromAt ? [] : [`${lane}: the stretch at ${fromAt} has no length`]
    }),
  ]
}
