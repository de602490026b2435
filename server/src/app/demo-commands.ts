import { parseArgs } from 'node:util'
import { adminName } from '../kernel/admin-name.ts'
import type { Command } from './admin-command.ts'
import { removeDemo } from './demo-organisation.ts'

export const demoUsage = `  demo remove
      Ends the keys and the sign-in of the demo organisation that a first start made, and erases its interviews.`

const remove: Command = async ({ app, print }, args) => {
  parseArgs({ args, options: {} })
  const gone = await removeDemo(app)
  if (!gone) {
    print('There is no demo organisation here.')
    return 0
  }
  print(
    `The demo organisation (${gone.orgId}) is removed: ${gone.keys} keys ended, ${gone.sessions} interviews erased.`,
  )
  print(`Its audit chain stays. An organisation of your own: ${adminName} bootstrap --org NAME --email E`)
  return 0
}

export const demoCommands: Readonly<Record<string, Command>> = { 'demo remove': remove }
