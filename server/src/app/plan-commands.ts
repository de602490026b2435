import { parseArgs } from 'node:util'
import { planNames, ServiceError } from '@integrity/protocol'
import { orgExists } from '../domains/orgs/orgs.service.ts'
import { agreePlan } from '../domains/plans/agreeing.service.ts'
import { type Command, need, oneOf, text } from './admin-command.ts'

export const planUsage = `  plan agree --org ORG_ID --plan free|team|business|enterprise [--retention-days N]
      Puts an organisation on a plan that was agreed upon, with a retention ceiling of its own if one is given; free takes it
      away. What is paid for besides counts as well.`

const agree: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, plan: text, 'retention-days': text } })
  need(values, ['org', 'plan'])
  const plan = oneOf('plan', values.plan, planNames)
  const orgId = values.org ?? ''
  const days = values['retention-days']
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw new ServiceError('invalid_request', `--retention-days must be a number of days (is ${days})`)
  if (!(await orgExists({ reader: app.db.reader }, orgId)))
    throw new ServiceError('not_found', `there is no organisation ${orgId}`)
  const actor = { kind: 'operator', id: 'command-line' } as const
  const wanted = { orgId, plan, retentionDays: days === undefined ? null : Number(days) }
  await app.db.transact((tx) => agreePlan({ ...app, tx, actor }, wanted))
  print(`${orgId} is on ${plan}${days === undefined ? '' : `, and keeps nothing longer than ${days} days`}`)
  return 0
}

export const planCommands: Readonly<Record<string, Command>> = { 'plan agree': agree }
