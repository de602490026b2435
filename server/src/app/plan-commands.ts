import { parseArgs } from 'node:util'
import { planNames } from '@integrity/protocol'
import { agreePlan } from '../domains/organisation/plans/agreeing.service.ts'
import { operator } from '../kernel/identity/actor.ts'
import { type Command, need, oneOf, text, wholeNumber } from './admin-command.ts'

export const planUsage = `  plan agree --org ORG_ID --plan free|team|business|enterprise [--retention-days N]
      Puts an organisation on a plan that was agreed upon, with a retention ceiling of its own if one is given; free takes it
      away. What is paid for besides counts as well.`

const agree: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, plan: text, 'retention-days': text } })
  need(values, ['org', 'plan'])
  const plan = oneOf('plan', values.plan, planNames)
  const orgId = values.org ?? ''
  const given = values['retention-days']
  const days = given === undefined ? null : wholeNumber('retention-days', given, { least: 1, most: 36_500 })
  const wanted = { orgId, plan, retentionDays: days }
  await app.db.transact((tx) => agreePlan({ ...app, tx, actor: operator }, wanted))
  print(`${orgId} is on ${plan}${days === null ? '' : `, and keeps nothing longer than ${days} days`}`)
  return 0
}

export const planCommands: Readonly<Record<string, Command>> = { 'plan agree': agree }
