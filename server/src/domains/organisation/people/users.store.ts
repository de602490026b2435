import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { LoginRow, Person } from './people.types.ts'

/** People stand outside organisations; `email` is normalised. */
export const findLogin = (reader: Reader, email: string): Promise<LoginRow | undefined> =>
  reader.get<LoginRow>(
    `SELECT user_id AS id, email, password_hash AS "passwordHash", second_factor AS "secondFactor"
     FROM users WHERE email = ?`,
    [email],
  )

export const hasSecondFactor = async (reader: Reader, userId: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM users WHERE user_id = ? AND second_factor = 1', [userId])) !== undefined

/** Call with the account locked since its factors were read. */
export const updateSecondFactor = async (tx: Tx, userId: string, on: boolean): Promise<void> => {
  await tx.run('UPDATE users SET second_factor = ? WHERE user_id = ?', [Number(on), userId])
}

export const findPerson = (reader: Reader, userId: string): Promise<Person | undefined> =>
  reader.get<Person>('SELECT user_id AS id, email, name FROM users WHERE user_id = ?', [userId])

/** Of several people at once; those who are gone are left out. */
export const findAddresses = (reader: Reader, userIds: readonly string[]): Promise<{ id: string; email: string }[]> => {
  const { marks, values } = padded(userIds)
  return reader.all(`SELECT user_id AS id, email FROM users WHERE user_id IN (${marks})`, values)
}

export const findUserByEmail = (reader: Reader, email: string): Promise<{ id: string } | undefined> =>
  reader.get<{ id: string }>('SELECT user_id AS id FROM users WHERE email = ?', [email])

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly name?: string | null
  /** Absent for who sets a password later. */
  readonly passwordHash?: string | null
  readonly now: number
}

const insert = `INSERT INTO users (user_id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)`
const valuesOf = ({ id, email, name = null, passwordHash = null, now }: NewUser) => [id, email, name, passwordHash, now]

export const insertUser = async (tx: Tx, user: NewUser): Promise<void> => {
  await tx.run(insert, valuesOf(user))
}

/** The account of the address; made where there is none, by whichever of several at once is first. */
export const ensureUser = async (tx: Tx, user: NewUser): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  const { changes } = await tx.run(`${insert} ON CONFLICT (email) DO NOTHING`, valuesOf(user))
  const row = await findUserByEmail(tx, user.email)
  if (!row) throw new Error(`the account ${user.id} vanished`)
  return { id: row.id, isNew: changes === 1 }
}

/** `onlyFirst`: where another one is known already, it stays. */
export const updateLanguage = async (tx: Tx, userId: string, locale: string, onlyFirst: boolean): Promise<void> => {
  const where = onlyFirst ? 'locale IS NULL' : '(locale IS NULL OR locale <> ?)'
  const values = onlyFirst ? [locale, userId] : [locale, userId, locale]
  await tx.run(`UPDATE users SET locale = ? WHERE user_id = ? AND ${where}`, values)
}

export const updateName = async (tx: Tx, userId: string, name: string): Promise<void> => {
  await tx.run('UPDATE users SET name = ? WHERE user_id = ?', [name, userId])
}

export const updatePassword = async (tx: Tx, userId: string, passwordHash: string): Promise<void> => {
  await tx.run('UPDATE users SET password_hash = ? WHERE user_id = ?', [passwordHash, userId])
}

/** The account, until the commit in nobody else's hands. */
export const lockUser = async (tx: Tx, userId: string): Promise<void> => {
  await tx.get(`SELECT user_id AS id FROM users WHERE user_id = ?${tx.forUpdate}`, [userId])
}

/** The language of a person's own page; null where nobody said one. */
export const findLanguage = async (reader: Reader, userId: string): Promise<string | null> =>
  (await reader.get<{ locale: string | null }>('SELECT locale FROM users WHERE user_id = ?', [userId]))?.locale ?? null
