import { setTimeout as rest } from 'node:timers/promises'

/** After so many turns of the event loop what is waited for is elsewhere, and needs the processor itself. */
const soon = 50

/** Resolves as soon as the condition holds: asked with each turn of the event loop at first, and then after rests. */
export const until = async (met: () => Promise<boolean> | boolean): Promise<void> => {
  for (let turn = 0; !(await met()); turn += 1)
    await (turn < soon ? new Promise((resolve) => setImmediate(resolve)) : rest(2))
}
