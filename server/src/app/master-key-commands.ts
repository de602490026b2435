import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Parts } from '../kernel/parts.ts'
import { changeMasterKey, scrubRoot } from '../kernel/root-key.ts'
import { loadMasterKey, parseMasterKey, replaceKeyFile } from '../platform/crypto/master-key.ts'
import type { Command } from './admin-command.ts'

export const masterKeyUsage = `  master-key change
      Puts the database under another master key while the service runs: a new master.key, or, where MASTER_KEY is set, the
      key that is asked for or piped in as one line. Every start from then on needs the new one.`

const tries = 20
const pauseMs = 250

/** Whether the old wrapping is out of the files; somebody who reads may be in the way for a moment. */
const isScrubbed = async ({ db }: Parts): Promise<boolean> => {
  for (let n = 0; n < tries; n++) {
    try {
      await scrubRoot(db)
      return true
    } catch {
      await delay(pauseMs)
    }
  }
  return false
}

const change: Command = async ({ app, print, secret }, args) => {
  parseArgs({ args, options: {} })
  const { dataDir, masterKey: value } = app.config
  const keyFile = join(dataDir, 'master.key')
  const from = await loadMasterKey({ keyFile, ...(value && { value }) })
  const changeTo = async (to: Buffer) => {
    const { keyId } = await changeMasterKey(app.db, from, to)
    print(`The database is under master key ${keyId} from now on.`)
  }
  if (value === undefined) await replaceKeyFile(keyFile, changeTo)
  else await changeTo(parseMasterKey(await secret('new master key'), 'the new master key'))
  print(
    value === undefined
      ? `It is in ${keyFile}. Back it up. Backups of before still need the key that they were made under.`
      : 'Give it to every process as MASTER_KEY before its next start. Backups of before still need the old one.',
  )
  if (await isScrubbed(app)) return 0
  print('What lay under the old key is still in the files of the database: run this again when less is read.')
  return 1
}

export const masterKeyCommands: Readonly<Record<string, Command>> = { 'master-key change': change }
