import { parseArgs } from 'node:util'
import { agentLanes, type LaneName, normaliseJoinCode } from '@integrity/protocol'

export interface HeadlessArguments {
  /** Base address of the service; absent when a session is resumed. */
  readonly server: string | undefined
  readonly joinCode: string | undefined
  readonly token: string | undefined
  readonly sessionId: string | undefined
  readonly resume: boolean
  readonly yesConsent: boolean
  readonly decline: readonly LaneName[]
  /** Of the consent text, BCP 47. */
  readonly language: string | undefined
  readonly dataDir: string
  readonly display: string | undefined
  readonly cameraFile: string | undefined
  readonly micSource: string | undefined
  readonly systemSource: string | undefined
  readonly maxBytes: number | undefined
  /** How long an end waits for what is left to be sent, milliseconds. */
  readonly speechModel: string | undefined
  readonly drainMs: number
  readonly json: boolean
  readonly ledger: boolean
  readonly help: boolean
}

export const usage = `Usage: npm run agent -- --server URL --join CODE [options]
       npm run agent -- --data DIR [--resume] [options]

Records what the candidate agrees to, on this machine, without a window.

  --server URL           address of the service
  --join CODE            join code, as shown (ABCD-EFGH)
  --token T --session ID agent join token instead of a code
  --data DIR             where unsent items are kept (./agent-data)
  --resume               go on with the session in DIR; without --join this is the default
  --yes-consent          agree to everything that is listed without being asked, also to what the policy asks for
                         while it records; without it that is declined
  --decline LANE         decline a lane that may be declined; may be repeated
  --language TAG         language of the consent text, such as hi; this program's own lines are English
  --display :N           X display to record
  --camera-file FILE     use a film instead of a camera
  --mic-source NAME      PulseAudio source of the microphone
  --system-source NAME   PulseAudio source of the computer's sound
  --speech-model DIR     folder of a speech model, for a transcript
  --max-spool-mb N       room for unsent items, MiB (2048)
  --drain-seconds N      how long to wait at the end for unsent items (60)
  --ledger               write each captured item to DIR/captured.jsonl
  --json                 print status as JSON lines
  --help                 print this

The service's certificate is held to the signed security policy where this build has release keys, as in the desktop
application.

Lanes: ${agentLanes.join(', ')}`

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const options = {
  server: { type: 'string' },
  join: { type: 'string' },
  token: { type: 'string' },
  session: { type: 'string' },
  resume: { type: 'boolean', default: false },
  'yes-consent': { type: 'boolean', default: false },
  decline: { type: 'string', multiple: true, default: [] as string[] },
  language: { type: 'string' },
  data: { type: 'string', default: './agent-data' },
  display: { type: 'string' },
  'camera-file': { type: 'string' },
  'mic-source': { type: 'string' },
  'system-source': { type: 'string' },
  'speech-model': { type: 'string' },
  'max-spool-mb': { type: 'string' },
  'drain-seconds': { type: 'string' },
  ledger: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const isLane = (name: string): name is LaneName => (agentLanes as readonly string[]).includes(name)

const lanesFrom = (names: readonly string[]): LaneName[] =>
  names.map((name) => {
    if (!isLane(name)) throw new UsageError(`--decline ${name}: no such lane; there are ${agentLanes.join(', ')}`)
    return name
  })

const numberFrom = (name: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isFinite(number) || number < 0) throw new UsageError(`--${name} ${value}: not a number`)
  return number
}

const languageFrom = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(value)[0]
  } catch {
    throw new UsageError(`--language ${value}: not a language tag such as en or hi`)
  }
}

const serverFrom = (value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw new UsageError(`--server ${value}: not an http address`)
  return value.replace(/\/$/, '')
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Throws `UsageError`. */
export const readArguments = (args: readonly string[]): HeadlessArguments => {
  const values = parse(args)
  const joinCode = values.join === undefined ? undefined : normaliseJoinCode(values.join)
  if (values.join !== undefined && joinCode === undefined) {
    throw new UsageError(`--join ${values.join}: a join code has 8 letters and digits, such as K7QF-2M9X`)
  }
  const hasToken = values.token !== undefined
  if (hasToken !== (values.session !== undefined)) throw new UsageError('--token and --session go together')
  if (joinCode !== undefined && hasToken) throw new UsageError('either --join or --token, not both')
  const joins = joinCode !== undefined || hasToken
  if (joins && values.resume) throw new UsageError('either a new session or --resume, not both')
  if (joins && values.server === undefined) throw new UsageError('--server is missing')
  const megabytes = numberFrom('max-spool-mb', values['max-spool-mb'])
  return {
    server: serverFrom(values.server),
    joinCode,
    token: values.token,
    sessionId: values.session,
    resume: values.resume,
    yesConsent: values['yes-consent'],
    decline: lanesFrom(values.decline),
    language: languageFrom(values.language),
    dataDir: values.data,
    display: values.display,
    cameraFile: values['camera-file'],
    micSource: values['mic-source'],
    systemSource: values['system-source'],
    speechModel: values['speech-model'],
    maxBytes: megabytes === undefined ? undefined : megabytes * 1024 ** 2,
    drainMs: (numberFrom('drain-seconds', values['drain-seconds']) ?? 60) * 1000,
    json: values.json,
    ledger: values.ledger,
    help: values.help,
  }
}
