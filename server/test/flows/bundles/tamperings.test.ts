import { generateKeyPairSync } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchChromium } from '../../test-support/browser.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { zip } from '../../test-support/zips.ts'
import { readVectors, writeVectors } from './bundle-vectors.test-support.ts'
import { bundleOf, interview, keyOf, type Members, sealOf, type Verdict, verdictOf } from './bundles.test-support.ts'
import type { Tampering } from './tampering.test-support.ts'
import { tamperings } from './tamperings.test-support.ts'
import { openVerifier } from './verifier-page.test-support.ts'

type Found = Readonly<Record<string, readonly string[]>>
const expected = (cases: readonly Tampering[]): Found =>
  Object.fromEntries(cases.map(({ name, faults }) => [name, faults.toSorted()]))

/** What one of the two finds in each case. */
const foundBy = async (
  cases: readonly Tampering[],
  verdictOn: (bundle: Buffer) => Promise<Verdict>,
): Promise<Found> => {
  const found: Record<string, string[]> = {}
  for (const { name, members } of cases) found[name] = (await verdictOn(zip(members))).named.toSorted()
  return found
}

/** Each case is a program of its own, or a page. */
const patient = 240_000

describe('a bundle of a session that somebody changed', () => {
  let server: TestServer
  let members: Members
  let cases: Tampering[]
  beforeAll(async () => {
    server = await startServer({ engine: 'sqlite' })
    const other = await bundleOf(server, await interview(server))
    members = await bundleOf(server, await interview(server))
    cases = tamperings({ members, other, seal: sealOf(server), foreign: generateKeyPairSync('ed25519') })
    if (process.env['UPDATE_VECTORS']) writeVectors(keyOf(server), members, cases)
  })
  afterAll(() => server.stop())

  it(
    'is refused with the name and the place of each fault',
    async () => {
      expect(await foundBy(cases, (bundle) => verdictOf(bundle, ['--key', keyOf(server)]))).toEqual(expected(cases))
    },
    patient,
  )

  it('is in the vectors, with parts of the same names (UPDATE_VECTORS=1 writes them)', () => {
    const vectors = readVectors()
    const sorted = (all: Members) => [...all.keys()].filter((path) => !path.startsWith('evidence/'))
    expect(vectors.cases.map(({ name }) => name)).toEqual(cases.map(({ name }) => name))
    expect(sorted(vectors.members)).toEqual(sorted(members))
  })
})

describe('the vectors of a bundle', () => {
  const { verifierKey, members, cases } = readVectors()
  const all = [{ name: 'as it was made', members, faults: [] }, ...cases]
  const chromium = findChromium('the page that checks a bundle')

  it(
    'are told apart by the program',
    async () => {
      expect(await foundBy(all, (bundle) => verdictOf(bundle, ['--key', verifierKey]))).toEqual(expected(all))
    },
    patient,
  )

  if (chromium)
    describe('in a browser', () => {
      let browser: Browser
      beforeAll(async () => {
        browser = await launchChromium(chromium)
      })
      afterAll(() => browser.close())

      it(
        'are told apart by the page, which gives each fault the same name',
        async () => {
          const { verdictOf: onPage } = await openVerifier(browser)
          expect(await foundBy(all, (bundle) => onPage(bundle, { key: verifierKey }))).toEqual(expected(all))
        },
        patient,
      )
    })
})
