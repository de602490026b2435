import { type Step, wallMs } from './sandbox.steps.model.ts'
import type { SimulationRow } from './sandbox.store.ts'

type Dated = Pick<SimulationRow, 'datedFrom'>

/** The instant that a step's results carry: by the interview's own dates, or when it ran. */
export const datedAt = <Ran extends number | null>({ datedFrom }: Dated, { at }: Pick<Step, 'at'>, ran: Ran) =>
  datedFrom === null ? ran : datedFrom + at * 1000

/** Where an interview of these steps begins whose last step is now, in whole seconds: nothing of it is in the future. */
export const datedFromOf = (steps: readonly Step[], now: number): number =>
  Math.floor(now / 1000) * 1000 - (steps.at(-1)?.at ?? 0) * 1000

/** Milliseconds between two results that lie so many interview seconds apart. */
export const spanMs = ({ datedFrom, timeScale }: Dated & Pick<SimulationRow, 'timeScale'>, seconds: number): number =>
  wallMs(datedFrom === null ? timeScale : 1, seconds)
