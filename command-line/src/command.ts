import type { Terminal } from './terminal.ts'

export interface Option {
  readonly type: 'boolean' | 'string'
  readonly summary: string
}
export type Values = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  readonly name: string
  readonly summary: string
  /** Names of what is behind the command, each of them required. */
  readonly takes: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Takes everything behind its name as it is. */
  readonly passesOn?: true
  /** @returns the exit code */
  readonly run: (
    terminal: Terminal,
    given: { readonly args: readonly string[]; readonly values: Values },
  ) => Promise<number>
}

/** Of every command but those that pass everything on. */
export const commonOptions = {
  json: { type: 'boolean', summary: 'one JSON value a line, for programs' },
  help: { type: 'boolean', summary: 'what the command takes' },
} as const satisfies Record<string, Option>
