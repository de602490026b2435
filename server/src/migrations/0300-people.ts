import type { Knex } from 'knex'
import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const rolesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('role_id').notNullable()
  t.text('name').notNullable()
  t.text('name_key').notNullable()
  t.text('description').notNullable()
  t.text('permissions').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.primary(['org_id', 'role_id'])
  t.unique(['org_id', 'name_key'], { indexName: 'custom_roles_name' })
  t.foreign(['org_id'], 'custom_roles_org_id_fkey').references(['org_id']).inTable('orgs')
}

const countsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('role').notNullable()
  t.integer('active').notNullable()
  t.text('custom_role_id').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'role', 'active', 'custom_role_id'])
}

/** Words are searched by their beginnings, which only code points in their order allow. */
const wordsTable =
  ({ engine }: MigrationHelpers) =>
  (t: Knex.CreateTableBuilder): void => {
    t.text('org_id').notNullable()
    t.specificType('word', engine === 'postgres' ? 'text COLLATE "C"' : 'text').notNullable()
    t.text('membership_id').notNullable()
    t.primary(['org_id', 'word', 'membership_id'])
  }

const slugsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('skeleton').notNullable()
  t.text('org_id').notNullable()
  t.primary(['skeleton'])
}

interface Named {
  readonly orgId: string
  readonly membershipId: string
  readonly email: string
  readonly name: string | null
}

/** As `words.model.ts` has them at this version. */
const wordsOf = ({ email, name }: Named): string[] => [
  ...new Set([
    email,
    ...`${email} ${name ?? ''}`
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== ''),
  ]),
]

const fillWords = async ({ tx }: MigrationHelpers): Promise<void> => {
  const members = await tx.all<Named>(
    `SELECT m.org_id AS "orgId", m.membership_id AS "membershipId", u.email, u.name
     FROM memberships m JOIN users u ON u.user_id = m.user_id`,
  )
  for (const member of members)
    for (const word of wordsOf(member))
      await tx.run('INSERT INTO member_words (org_id, word, membership_id) VALUES (?, ?, ?)', [
        member.orgId,
        word,
        member.membershipId,
      ])
}

const fillSlugs = (h: MigrationHelpers): Promise<void> =>
  h.sql(
    `INSERT INTO org_slugs (skeleton, org_id)
     SELECT replace(replace(replace(replace(replace(slug, '-', ''), '0', 'o'), '1', 'l'), 'rn', 'm'), 'vv', 'w'), min(org_id)
     FROM orgs GROUP BY 1`,
  )

const columns = [
  ['name', 'text'],
  ['custom_role_id', 'text'],
  ['last_seen_at', 'bigint'],
  ['deactivated_at', 'bigint'],
] as const

/** Custom roles; what members are called, which custom role they hold, when they were last here; what their lists cost. */
export const people: Migration = {
  name: '0300-people',
  async up(h) {
    await h.createTable('custom_roles', rolesTable)
    await h.createTable('membership_counts', countsTable, { clustered: true })
    await h.createTable('member_words', wordsTable(h), { clustered: true })
    await h.createTable('org_slugs', slugsTable, { clustered: true })
    for (const [name, type] of columns) await h.sql(`ALTER TABLE memberships ADD COLUMN ${name} ${type}`)
    await h.sql('CREATE INDEX memberships_list ON memberships (org_id, role, active, created_at, membership_id)')
    await h.sql(
      'CREATE INDEX memberships_custom_role ON memberships (org_id, custom_role_id, membership_id) WHERE custom_role_id IS NOT NULL',
    )
    await h.sql(`INSERT INTO membership_counts (org_id, role, active, custom_role_id, n)
      SELECT org_id, role, active, '', count(*) FROM memberships GROUP BY org_id, role, active`)
    await fillWords(h)
    await fillSlugs(h)
  },
  async down(h) {
    await h.sql('DROP INDEX memberships_custom_role')
    await h.sql('DROP INDEX memberships_list')
    for (const [name] of columns.toReversed()) await h.sql(`ALTER TABLE memberships DROP COLUMN ${name}`)
    await dropTables(h, 'org_slugs', 'member_words', 'membership_counts', 'custom_roles')
  },
}
