import type { Environment } from '../../shared/child-process.ts'
import { PulseCommand, PulseConnection } from './pulse-connection.ts'
import { u32 } from './tagstruct.ts'

/** `PA_SUBSCRIPTION_MASK_SOURCE`: sources that come, go or change; not who records them. */
const ABOUT_SOURCES = 2

/** Whether the list of sources may have changed since it was last asked for. */
export type SourceNews = {
  /** True after a change, and always when nothing is told; asking settles it. */
  take(): boolean
  close(): void
}

/** Hears from the sound server when its sources change. @throws Error when it cannot be heard */
export const followSources = async (env: Environment): Promise<SourceNews> => {
  const connection = await PulseConnection.open(env)
  let news = true
  let deaf = false
  void connection.ended.then(() => {
    deaf = true
  })
  connection.onMessage = (command) => {
    if (command === PulseCommand.subscribeEvent) news = true
  }
  await connection.ask(PulseCommand.subscribe, u32(ABOUT_SOURCES))
  return {
    take: () => {
      const taken = news || deaf
      news = false
      return taken
    },
    close: () => connection.close(),
  }
}
