import { readFile } from 'node:fs/promises'
import { inspect, parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { bootstrapOrg } from '../domains/organisation/orgs/bootstrap.service.ts'
import { orgExists } from '../domains/organisation/orgs/orgs.service.ts'
import { adminName } from '../kernel/admin-name.ts'
import type { Parts } from '../kernel/parts.ts'
import { DatabaseBusy } from '../platform/db/errors.ts'
import { MigrationRefused } from '../platform/db/migrate.ts'
import { createLog } from '../platform/log/log.ts'
import { type Command, need, type Surroundings } from './admin-command.ts'
import { auditCommands, auditUsage } from './audit-commands.ts'
import { backupCommands, backupUsage, bareBackupCommands } from './backup-commands.ts'
import { buildContext } from './build-context.ts'
import { ConfigError, readConfig } from './config.ts'
import { demoCommands, demoUsage } from './demo-commands.ts'
import { bareDoctorCommands, doctorUsage } from './doctor-commands.ts'
import { eraseCommands, eraseUsage } from './erase-commands.ts'
import { evidenceCommands, evidenceUsage } from './evidence-commands.ts'
import { databasePlace, namingDatabase } from './existing-database.ts'
import { masterKeyCommands, masterKeyUsage } from './master-key-commands.ts'
import { migrate, migrateUsage } from './migrate-commands.ts'
import { planCommands, planUsage } from './plan-commands.ts'
import { readSecret } from './read-secret.ts'
import { releaseCommands, releaseUsage } from './release-commands.ts'
import { retentionCommands, retentionUsage } from './retention-commands.ts'
import { securityPolicyCommands, securityPolicyUsage } from './security-policy-commands.ts'
import { parseSettings } from './settings-file.ts'
import { ssoCommands, ssoUsage } from './sso-commands.ts'

const usage = `${adminName} [--settings FILE] COMMAND

  bootstrap --org NAME --email E [--json]
      Makes an organisation with its owner and one key with every scope for each environment. Asks for the owner's password,
      or takes it from standard input as one line.
${demoUsage}
${auditUsage}
${backupUsage}
${doctorUsage}
${eraseUsage}
${evidenceUsage}
${masterKeyUsage}
${migrateUsage}
${planUsage}
${releaseUsage}
${retentionUsage}
${securityPolicyUsage}
${ssoUsage}

Works while the server runs. The settings are the server's own (DATA_DIR, DATABASE_URL, MASTER_KEY, RELEASE_PUBLIC_KEYS), of
the environment or, with --settings FILE before the command, of a file that is read as systemd reads an EnvironmentFile. Only
bootstrap and migrate make a database; every other command needs the one of a server that was started before.`

const bootstrap: Command = async ({ app, print, secret }, args) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { org: text, email: text, password: text, json: { type: 'boolean' } } })
  need(values, ['org', 'email'])
  const made = await bootstrapOrg(app, {
    org: values.org ?? '',
    email: values.email ?? '',
    // Still taken from the arguments for scripts of before; there it can be read by every user of the machine.
    password: values.password ?? (await secret('password')),
  })
  if (values.json) print(JSON.stringify(made))
  else for (const [name, value] of Object.entries(made)) print(`${name.padEnd(12)} ${value}`)
  return 0
}

const commands: Record<string, Command> = {
  bootstrap,
  migrate,
  ...demoCommands,
  ...auditCommands,
  ...backupCommands,
  ...eraseCommands,
  ...evidenceCommands,
  ...masterKeyCommands,
  ...planCommands,
  ...releaseCommands,
  ...retentionCommands,
  ...securityPolicyCommands,
  ...ssoCommands,
}

/** Those that need no server to have started before. */
const makers: ReadonlySet<Command> = new Set([bootstrap, migrate])

/** A mistyped id finds nothing, and nothing found reads like a success. */
const checkOrg = async (app: Parts, args: string[]): Promise<void> => {
  const { org } = parseArgs({ args, options: { org: { type: 'string' } }, strict: false }).values
  if (typeof org !== 'string' || (await orgExists({ reader: app.db.reader }, org))) return
  const where = databasePlace(app.config)
  throw new ServiceError(
    'not_found',
    `there is no organisation ${org} in the database at ${where}: ids begin with org_`,
  )
}

/** The names of all commands that open the database. */
export const commandNames: readonly string[] = Object.keys(commands)

const readSettingsFile = async (file = ''): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ServiceError('invalid_request', `--settings ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

const perform = async (argv: string[], surroundings: Surroundings): Promise<number> => {
  const { env, stdout, stderr } = surroundings
  if (argv[0] === '--settings') {
    const { settings, ignored } = parseSettings(await readSettingsFile(argv[1]))
    for (const line of ignored) stderr.write(`${argv[1]}: passed over, as systemd does: ${line}\n`)
    return perform(argv.slice(2), {
      ...surroundings,
      env: { ...env, ...settings },
      settings: { path: argv[1] ?? '', ignored },
    })
  }
  const two = argv.slice(0, 2).join(' ')
  const print = (line: string) => void stdout.write(`${line}\n`)
  const call = { env, settings: surroundings.settings, print }
  const bare = bareBackupCommands[two]
  if (bare) return namingDatabase(readConfig(env), () => bare(call, argv.slice(2)))
  const alone = bareDoctorCommands[argv[0] ?? '']
  if (alone) return alone(call, argv.slice(1))
  const name = two in commands ? two : (argv[0] ?? '')
  const command = commands[name]
  if (!command) {
    stderr.write(`${usage}\n`)
    return name === '' || name === '--help' || name === 'help' ? 0 : 2
  }
  const config = readConfig(env)
  const log = createLog({ level: 'info', destination: stderr })
  const secret = (what: string) => readSecret(what, surroundings)
  return namingDatabase(config, async () => {
    const built = await buildContext(config, { log, existing: !makers.has(command), isCommand: true })
    try {
      const args = argv.slice(name.split(' ').length)
      if (!makers.has(command)) await checkOrg(built.app, args)
      return await command({ app: built.app, env, print, secret }, args)
    } finally {
      await built.close()
    }
  })
}

/** The operator's program: what it was asked for, or why not in words. @returns the exit code */
export const runAdmin = async (argv: string[], surroundings: Surroundings): Promise<number> => {
  try {
    return await perform(argv, surroundings)
  } catch (error) {
    const known =
      error instanceof ServiceError ||
      error instanceof ConfigError ||
      error instanceof DatabaseBusy ||
      error instanceof MigrationRefused ||
      (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    surroundings.stderr.write(known ? `${(error as Error).message}\n` : `${inspect(error)}\n`)
    return 1
  }
}
