import { createIntegrityClient, type IntegrityClient } from '@integrity/client'

/** What a command may use of the process that it runs in. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes one line to the standard output: what a program may read. */
  readonly out: (line: string) => void
  /** Writes one line for people. */
  readonly err: (line: string) => void
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal
}

/** How a command ends. */
export const exitCodes = {
  done: 0,
  /** The service refused, or could not be reached. */
  failed: 1,
  /** An option or a setting is missing or wrong. */
  usage: 2,
} as const

/** Nothing was done: the words say what to give. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The value of a setting. Throws `UsageError` without one. */
export const setting = ({ env }: Pick<Terminal, 'env'>, name: string): string => {
  const value = env[name]
  if (value) return value
  throw new UsageError(`set ${name} in the environment`)
}

/** A client of the service that `BASE_URL` and `API_KEY` name. */
export const clientOf = (terminal: Pick<Terminal, 'env' | 'signal'>): IntegrityClient =>
  createIntegrityClient({
    baseUrl: setting(terminal, 'BASE_URL'),
    apiKey: setting(terminal, 'API_KEY'),
    userAgent: 'integrity-command-line',
    signal: terminal.signal,
  })
