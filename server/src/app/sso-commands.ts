import { parseArgs } from 'node:util'
import { unlinkAccount } from '../domains/access/sso/unlinking.service.ts'
import { operator } from '../kernel/identity/actor.ts'
import { type Command, need, text } from './admin-command.ts'

export const ssoUsage = `  sso unlink --org ORG_ID --email E
      Unlinks an account from the organisation's identity provider or directory, and ends the sign-ins that it vouched for
      and what the account agreed to. The organisation's audit trail notes it.`

const ssoUnlink: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, email: text } })
  need(values, ['org', 'email'])
  const count = await unlinkAccount(app, { orgId: values.org ?? '', email: values.email ?? '', actor: operator })
  print(`unlinked from ${count} ${count === 1 ? 'identity' : 'identities'}`)
  return 0
}

export const ssoCommands: Readonly<Record<string, Command>> = { 'sso unlink': ssoUnlink }
