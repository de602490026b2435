import { createHash } from 'node:crypto'
import path from 'node:path'
import { inject } from 'vitest'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { postgresUrl } from './postgres-door.ts'

const server = path.resolve(import.meta.dirname, '../..')
const turns = 4

/** True when this run can test on the engine. */
export const hasEngine = (engine: Engine): boolean => engine === 'sqlite' || inject('postgresDoor') !== null

/** For suites whose subject differs by engine: statements, locks, races, lists, and what is generated from the contract. */
export const everyEngine = (): readonly Engine[] => {
  if (!hasEngine('postgres')) return ['sqlite']
  // Postgres starts while the suite on SQLite runs; the suite that then needs it is told where it could not.
  postgresUrl().catch(() => undefined)
  return ['sqlite', 'postgres']
}

/** Which of the four quarters of the other suites a run has on Postgres too; undefined for all of them. */
const turnOfRun = (): number | undefined => {
  const said = process.env['POSTGRES_TURN']
  return said === undefined || said === '' ? undefined : Number(said) % turns
}

/** The quarter of a suite or of a case: the same on every machine. */
const quarterOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() % turns
const nameOfSuite = (file: string): string => path.relative(server, file).split(path.sep).join('/')

/** For a proof of a case that another one implies: true for a quarter of the cases in each run, and for all where nothing is in turn. */
export const isInTurn = (name: string): boolean => {
  const turn = turnOfRun()
  return turn === undefined || quarterOf(name) === turn
}

/**
 * For suites of requests, which say the same to both engines: SQLite in each run, and Postgres where it is the file's turn
 * (docs/decisions/0070). A run of chosen paths, and one of everything, has both.
 * @param file the suite's `import.meta.filename`
 */
export const enginesInTurn = (file: string): readonly Engine[] =>
  isInTurn(nameOfSuite(file)) ? everyEngine() : ['sqlite']

/** The same for the cases of a generated list: all of them on SQLite, a quarter on Postgres. */
export const casesInTurn = <Case extends string>(engine: Engine, cases: readonly Case[]): readonly Case[] =>
  cases.filter((name) => engine === 'sqlite' || isInTurn(name))
