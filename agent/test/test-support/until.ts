import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits for something outside this process (a window, a file, a server) to become true. `what` names it in the
 * error after `timeoutMs`; nothing is asserted about how long it takes.
 */
export const until = async (
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> => {
  const end = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`gave up waiting for ${what}`)
    await delay(50)
  }
}
