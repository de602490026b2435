import type { Page } from 'playwright-core'
import type { CommandName, PushName } from '../../src/shared/ipc/channels.ts'

/** Stands in the page before its own scripts: what the preload gives, made of two functions of this process. */
export const bridge = `{
  const listeners = { state: new Set(), preview: new Set() }
  window.agentPush = (name, value) => { for (const listener of listeners[name]) listener(value) }
  window.agent = {
    call: (name, input) => window.agentCall(name, input),
    on: (name, listener) => { listeners[name].add(listener); return () => listeners[name].delete(listener) },
  }
}`

export type Push = (name: PushName, value: unknown) => Promise<void>

/** Gives the page a bridge whose commands come to `call`; before it is opened. What is pushed before is lost. */
export const attachBridge = async (
  page: Page,
  call: (name: CommandName, input: unknown) => Promise<unknown>,
): Promise<Push> => {
  await page.exposeFunction('agentCall', call)
  await page.addInitScript(bridge)
  return async (name, value) => {
    await page.evaluate(`agentPush(${JSON.stringify(name)}, ${JSON.stringify(value)})`)
  }
}
