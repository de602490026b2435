import { describe, expect, it } from 'vitest'
import { domainNames } from './domain-names.ts'
import { fieldsDoNotJudge, nothingPrivate } from './words.ts'

const tree = (...paths: string[]) => paths.map((path) => ({ path, text: '' }))

describe('domainNames', () => {
  it('finds a domain that only one side has', () => {
    const found = domainNames.find(
      tree(
        'shared-protocol/src/domains/organisation/orgs/orgs.schemas.ts',
        'server/src/domains/organisations/x.service.ts',
      ),
    )
    expect(found.map(({ path }) => path)).toEqual([
      'shared-protocol/src/domains/organisation/orgs',
      'server/src/domains/organisations',
    ])
  })

  it('accepts equal names, and takes a file beside the domains for no domain', () => {
    expect(
      domainNames.find(
        tree(
          'shared-protocol/src/domains/organisation/orgs/orgs.schemas.ts',
          'server/src/domains/organisation/orgs/orgs.service.ts',
          'server/src/domains/index.ts',
        ),
      ),
    ).toEqual([])
  })
})

describe('fieldsDoNotJudge', () => {
  const found = (text: string, path = 'shared-protocol/src/domains/x/x.schemas.ts') =>
    fieldsDoNotJudge.find([{ path, text }]).map(({ message }) => message)

  it.each([
    ['risk: z.number()', 'field risk'],
    ['  riskLevel?: string', 'field riskLevel'],
    ["'fraud_flags': z.array(x)", 'field fraud_flags'],
    ['const x = { trustScore: z.number() }', 'field trustScore'],
    ['isSuspicious : z.boolean()', 'field isSuspicious'],
    ['VERDICT: 1', 'field VERDICT'],
  ])('finds %s', (text, message) => {
    expect(found(text)).toEqual([message])
  })

  it('allows the words in a comment or a text, and inside a longer word', () => {
    expect(found('// score: never\nx: z.string().meta({ description: "no score: ever" })')).toEqual([])
    expect(found('asterisk: z.string(), underscore: z.string(), note: `risk: none`')).toEqual([])
  })

  it('finds a field in the generated documents', () => {
    const document = JSON.stringify({ components: [{ properties: { cheatCount: { type: 'number' } } }] })
    expect(found(document, 'shared-protocol/generated/openapi.json')).toEqual(['field cheatCount'])
  })

  it('leaves other packages alone', () => {
    expect(found('score: 1', 'server/src/platform/jobs/x.ts')).toEqual([])
  })
})

describe('nothingPrivate', () => {
  const found = (text: string) => nothingPrivate.find([{ path: 'a.md', text }]).map(({ path }) => path)
  const folder = ['', 'work', ''].join('/')

  it('names the line that mentions a private place', () => {
    expect(found(`fine\nsee ${folder}main/x`)).toEqual(['a.md:2'])
    expect(found(`see ../${['shared', 'spec'].join('/')}/x.md`)).toEqual(['a.md:1'])
    expect(found(`see ${['', 'library'].join('.')}/x`)).toEqual(['a.md:1'])
  })

  it('leaves words alone that only look alike', () => {
    expect(found(`home${folder}x, shared/specimen, catalogue.library, a${folder}b`)).toEqual([])
  })
})
