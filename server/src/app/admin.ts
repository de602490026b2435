import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { verifyAudit } from '../domains/audit/audit.service.ts'
import { bootstrapOrg } from '../domains/orgs/bootstrap.service.ts'
import { createLog } from '../platform/log/log.ts'
import { type Command, need } from './admin-command.ts'
import { buildContext } from './build-context.ts'
import { ConfigError, readConfig } from './config.ts'
import { releaseCommands, releaseUsage } from './release-commands.ts'
import { securityPolicyCommands, securityPolicyUsage } from './security-policy-commands.ts'

const usage = `admin -- COMMAND

  bootstrap --org NAME --email E --password P [--json]
      Makes an organisation with its owner and one key with every scope for each environment.
  audit verify --org ORG_ID [--json]
      Recomputes the organisation's hash chain and names the first row that fails.
${releaseUsage}
${securityPolicyUsage}

Works while the server runs. The settings are the server's own (DATA_DIR, DATABASE_URL, MASTER_KEY, RELEASE_PUBLIC_KEYS).`

const bootstrap: Command = async (app, args) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { org: text, email: text, password: text, json: { type: 'boolean' } } })
  need(values, ['org', 'email', 'password'])
  const made = await bootstrapOrg(app, {
    org: values.org ?? '',
    email: values.email ?? '',
    password: values.password ?? '',
  })
  if (values.json) console.log(JSON.stringify(made))
  else for (const [name, value] of Object.entries(made)) console.log(`${name.padEnd(12)} ${value}`)
  return 0
}

const auditVerify: Command = async (app, args) => {
  const { values } = parseArgs({ args, options: { org: { type: 'string' }, json: { type: 'boolean' } } })
  need(values, ['org'])
  const result = await verifyAudit(app, values.org ?? '')
  if (values.json) console.log(JSON.stringify(result))
  else if (result.ok) console.log(`the chain holds: ${result.rows} rows`)
  else console.log(`the chain is broken at row ${result.firstFailure.seq}: ${result.firstFailure.reason}`)
  return result.ok ? 0 : 1
}

const commands: Record<string, Command> = {
  bootstrap,
  'audit verify': auditVerify,
  ...releaseCommands,
  ...securityPolicyCommands,
}

const run = async (argv: string[]): Promise<number> => {
  const two = argv.slice(0, 2).join(' ')
  const name = two in commands ? two : (argv[0] ?? '')
  const command = commands[name]
  if (!command) {
    console.error(usage)
    return name === '' || name === '--help' || name === 'help' ? 0 : 2
  }
  const config = readConfig(process.env)
  const log = createLog({ level: 'info', destination: process.stderr })
  const built = await buildContext(config, { log })
  try {
    return await command(built.app, argv.slice(name.split(' ').length))
  } finally {
    await built.close()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const known =
    error instanceof ServiceError ||
    error instanceof ConfigError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(known ? (error as Error).message : error)
  process.exitCode = 1
}
