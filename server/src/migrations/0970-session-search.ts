import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

interface Named {
  readonly orgId: string
  readonly id: string
  readonly environment: string
  readonly createdAt: number
  readonly position: number
  readonly externalId: string | null
  readonly label: string | null
}
interface Person {
  readonly id: string
  readonly name: string | null
  readonly email: string
}

/** As `session-words.model.ts` has them at this version. */
const wordsOf = (texts: readonly (string | null)[]): string[] =>
  [
    ...new Set(
      texts
        .map((text) => text ?? '')
        .join(' ')
        .normalize('NFKC')
        .toLowerCase()
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter((word) => word !== '')
        .map((word) => [...word].slice(0, 24).join('')),
    ),
  ].slice(0, 24)
const beginningsOf = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => [...word].map((_, n, letters) => letters.slice(0, n + 1).join('')))),
]

const columns = ['org_id', 'environment', 'word', 'created_at', 'position'].map((name) => ({
  name,
  type: name === 'created_at' || name === 'position' ? ('bigint' as const) : ('text' as const),
}))
const rowsAtOnce = 200

const fillWords = async ({ tx }: MigrationHelpers): Promise<void> => {
  for (let after: readonly [string, string] | undefined = ['', '']; after; ) {
    const sessions: Named[] = await tx.all<Named>(
      `SELECT org_id AS "orgId", session_id AS id, environment, created_at AS "createdAt", position,
         external_id AS "externalId", candidate_label AS label
       FROM sessions WHERE (org_id, session_id) > (?, ?) ORDER BY org_id, session_id LIMIT ${rowsAtOnce}`,
      [...after],
    )
    for (const { orgId, id, environment, createdAt, position, externalId, label } of sessions) {
      const people = await tx.all<Person>(
        `SELECT name, email FROM invitations WHERE org_id = ? AND session_id = ? ORDER BY created_at, invitation_id`,
        [orgId, id],
      )
      const words = wordsOf([externalId, label, ...people.flatMap(({ name, email }) => [name, email])])
      if (words.length === 0) continue
      await tx.run('UPDATE sessions SET search_words = ? WHERE org_id = ? AND session_id = ?', [
        words.join(' '),
        orgId,
        id,
      ])
      await tx.insertMany(
        'session_words',
        columns,
        beginningsOf(words).map((word) => [orgId, environment, word, createdAt, position]),
      )
    }
    const last = sessions.length === rowsAtOnce ? sessions.at(-1) : undefined
    after = last && [last.orgId, last.id]
  }
}

/** The beginnings of words by which people find interviews, and of each review its place among them and its number of moments. */
export const sessionSearch: Migration = {
  name: '0970-session-search',
  async up(h) {
    await h.createTable(
      'session_words',
      (t) => {
        t.text('org_id').notNullable()
        t.text('environment').notNullable()
        t.text('word').notNullable()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('position').notNullable()
        t.primary(['org_id', 'environment', 'word', 'created_at', 'position'])
      },
      { clustered: true },
    )
    await h.sql("ALTER TABLE sessions ADD COLUMN search_words text NOT NULL DEFAULT ''")
    await h.sql('ALTER TABLE reviews ADD COLUMN created_at bigint NOT NULL DEFAULT 0')
    await h.sql('ALTER TABLE reviews ADD COLUMN position bigint NOT NULL DEFAULT 0')
    await h.sql('ALTER TABLE reviews ADD COLUMN moments bigint')
    await h.sql(`UPDATE reviews SET
      created_at = (SELECT s.created_at FROM sessions s WHERE s.org_id = reviews.org_id AND s.session_id = reviews.session_id),
      position = (SELECT s.position FROM sessions s WHERE s.org_id = reviews.org_id AND s.session_id = reviews.session_id)`)
    await h.sql('CREATE INDEX reviews_of_sessions ON reviews (org_id, environment, state, created_at, position)')
    await h.sql(`CREATE INDEX sessions_unreviewed ON sessions (org_id, environment, created_at, position)
      WHERE state = 'ended' AND started_at IS NULL`)
    await fillWords(h)
  },
  async down(h) {
    await h.sql('DROP INDEX sessions_unreviewed')
    await h.sql('DROP INDEX reviews_of_sessions')
    await h.sql('ALTER TABLE reviews DROP COLUMN moments')
    await h.sql('ALTER TABLE reviews DROP COLUMN position')
    await h.sql('ALTER TABLE reviews DROP COLUMN created_at')
    await h.sql('ALTER TABLE sessions DROP COLUMN search_words')
    await dropTables(h, 'session_words')
  },
}
