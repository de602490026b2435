import { ServiceError } from '@integrity/protocol'
import type { Parts } from '../kernel/parts.ts'

/** What an operator's program has around it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file of `--settings`, which is in `env` by now, and the lines of it that were passed over. */
  readonly settings?: { readonly path: string; readonly ignored: readonly string[] } | undefined
  /** Where a secret comes from that is not to stand in the arguments, which every user of the machine can read. */
  readonly stdin?: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean }
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/** A command of the operator: takes the words after its name, answers the exit code. Throws in words. */
export type Command = (
  call: {
    readonly app: Parts
    readonly env: Surroundings['env']
    readonly print: (line: string) => void
    readonly secret: (what: string) => Promise<string>
  },
  args: string[],
) => Promise<number>

/** A command that needs no existing database. */
export type BareCommand = (
  call: {
    readonly env: Surroundings['env']
    readonly settings?: Surroundings['settings']
    readonly print: (line: string) => void
  },
  args: string[],
) => Promise<number>

export const text = { type: 'string' } as const
export const many = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const

/** Refuses a call that lacks options, naming all of them. */
export const need = (values: Readonly<Record<string, unknown>>, names: readonly string[]): void => {
  const missing = names.filter((name) => typeof values[name] !== 'string')
  if (missing.length > 0)
    throw new ServiceError('invalid_request', `missing: ${missing.map((name) => `--${name}`).join(', ')}`)
}

/** A whole number, or a refusal that names the bounds. */
export const wholeNumber = (
  name: string,
  value: string,
  { least, most }: { readonly least: number; readonly most: number },
): number => {
  const read = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (read >= least && read <= most) return read
  throw new ServiceError('invalid_request', `--${name} must be a whole number from ${least} to ${most}`)
}

/** One of a closed set, or a refusal that names the set. */
export const oneOf = <const T extends readonly string[]>(
  name: string,
  value: string | undefined,
  set: T,
): T[number] => {
  if (value !== undefined && set.includes(value)) return value
  throw new ServiceError('invalid_request', `--${name} must be one of ${set.join(', ')}`)
}
