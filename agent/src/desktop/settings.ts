import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeDurably } from '../shared/durable-file.ts'

const settings = z.object({ locale: z.string().max(35).optional(), server: z.string().max(2000).optional() })
export type Settings = z.output<typeof settings>

/** What the candidate chose on this computer. One that cannot be read is as good as none. */
export const openSettings = async (dir: string) => {
  const path = join(dir, 'settings.json')
  let current: Settings = {}
  try {
    current = settings.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    current = {}
  }
  return {
    get: (): Settings => current,
    set: async (change: Settings): Promise<void> => {
      current = { ...current, ...change }
      await writeDurably(path, Buffer.from(JSON.stringify(current)))
    },
  }
}
export type SettingsFile = Awaited<ReturnType<typeof openSettings>>
