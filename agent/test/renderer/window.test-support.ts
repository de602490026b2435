import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { until } from '../test-support/until.ts'
import type { BuiltWindow } from './built-window.ts'
import { type OpenWindow, sharedWindows, type Windows } from './window-under-test.ts'

export interface GivenWindow {
  /** Opens the window of this test. */
  readonly given: (...args: Parameters<Windows['open']>) => Promise<OpenWindow>
  readonly built: () => BuiltWindow
}

/** One browser for the suite that calls it, and one window a test, which must have had no error. */
export const givenWindow = (): GivenWindow => {
  let windows: Windows
  let open: OpenWindow | undefined
  beforeAll(async () => {
    windows = await sharedWindows()
  })
  afterAll(() => windows?.closeAll())
  afterEach(async () => {
    expect(open?.errors ?? []).toEqual([])
    await open?.close()
    open = undefined
  })
  return {
    given: async (...args) => {
      open = await windows.open(...args)
      return open
    },
    built: () => windows.built,
  }
}

export const button = ({ page }: OpenWindow, name: string) => page.getByRole('button', { name, exact: true })
export const title = ({ page }: OpenWindow, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
/** Everything that was sent so far is there. */
export const sent = async ({ core }: OpenWindow, name: string) => {
  await until(name, () => core.sent.some((one) => one.name === name))
  return core.sent.filter((one) => one.name === name).map(({ input }) => input)
}
