import { describe, expect, it } from 'vitest'
import { noReExports, oneWriter } from './table-owners.ts'

const tree = (files: Readonly<Record<string, string>>) => Object.entries(files).map(([path, text]) => ({ path, text }))
const store = (domain: string) => `server/src/domains/${domain}/${domain}.store.ts`

describe('the owner of a table', () => {
  it('is the one folder that writes it; others may read it', () => {
    const files = tree({
      [store('keys')]: 'tx.run(`INSERT INTO api_keys (a) VALUES (?)`)',
      [store('people')]: "reader.all('SELECT * FROM api_keys')",
    })
    expect(oneWriter.find(files)).toEqual([])
  })

  it.each([
    'tx.run("UPDATE api_keys SET a = 1")',
    'tx.run(`DELETE FROM api_keys`)',
    "tx.insertMany('api_keys', columns, rows)",
    "tx.insertMany<{ n: number }>('api_keys', columns, rows)",
  ])('is told of a second writer: %s', (statement) => {
    const files = tree({
      [store('keys')]: 'tx.run(`INSERT INTO api_keys (a) VALUES (?)`)',
      [store('people')]: statement,
    })
    expect(oneWriter.find(files)).toEqual([
      { path: store('people'), message: 'writes api_keys, which keys owns; ask its service' },
    ])
  })

  it('is told of an exemption that exempts nothing', () => {
    const found = oneWriter.find(tree({ 'scripts/checks/table-owners.ts': '' }))
    expect(found.length).toBeGreaterThan(0)
    for (const { message } of found) expect(message).toContain('stale')
  })
})

it('a service that passes a store on is found', () => {
  const path = 'server/src/domains/organisation/orgs/orgs.service.ts'
  const found = noReExports.find(tree({ [path]: "export { findOrg } from './orgs.store.ts'\n" }))
  expect(found.map((finding) => finding.path)).toEqual([path])
  expect(noReExports.find(tree({ [path]: "import { findOrg } from './orgs.store.ts'\n" }))).toEqual([])
})
