import type { Reader, Tx } from '../../platform/db/types.ts'
import type { LoginRow, Person } from './people.types.ts'

/** People stand outside organisations; `email` is normalised. */
export const findLogin = (reader: Reader, email: string): Promise<LoginRow | undefined> =>
  reader.get<LoginRow>('SELECT user_id AS id, email, password_hash AS "passwordHash" FROM users WHERE email = ?', [
    email,
  ])

export const findPerson = (reader: Reader, userId: string): Promise<Person | undefined> =>
  reader.get<Person>('SELECT user_id AS id, email, name FROM users WHERE user_id = ?', [userId])

export const findUserByEmail = (reader: Reader, email: string): Promise<{ id: string } | undefined> =>
  reader.get<{ id: string }>('SELECT user_id AS id FROM users WHERE email = ?', [email])

export const insertUser = async (
  tx: Tx,
  user: { id: string; email: string; passwordHash: string; now: number },
): Promise<void> => {
  await tx.run('INSERT INTO users (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)', [
    user.id,
    user.email,
    user.passwordHash,
    user.now,
  ])
}
