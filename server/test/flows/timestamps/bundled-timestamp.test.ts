import { createHash } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  startTimeAuthority,
  type TimeAuthorityDouble,
} from '../../../src/platform/timestamps/time-authority.test-support.ts'
import { timestampRequest } from '../../../src/platform/timestamps/timestamp-request.ts'
import { findChromium, launchChromium } from '../../test-support/browser.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import {
  bundleOf,
  interview,
  keyOf,
  type Members,
  resealed,
  type Verdict,
  verdictOf,
} from '../bundles/bundles.test-support.ts'
import { linesIn } from '../bundles/tampering.test-support.ts'
import { openVerifier } from '../bundles/verifier-page.test-support.ts'

const path = 'audit-timestamp.json'
const patient = 120_000

interface Stamped {
  readonly rows: number
  readonly at: string
  readonly checkpoint: string
  readonly response: string
}

describe('the time stamp in a bundle', () => {
  let server: TestServer
  let authority: TimeAuthorityDouble
  let members: Members
  let stamped: Stamped
  let browser: Browser | undefined
  let verifiers: ((bundle: Members) => Promise<Verdict>)[]

  /** The bundle with another time stamp, sealed again by whoever has the key. */
  const changed = (change: object): Members =>
    resealed(server, members, path, Buffer.from(`${JSON.stringify({ ...stamped, ...change }, null, 2)}\n`))
  /** What OpenSSL's authority says of other bytes. */
  const stampOf = async (data: string): Promise<string> => {
    const hash = createHash('sha256').update(data).digest()
    const request = timestampRequest({ hash, nonce: Buffer.from('4001020304050607', 'hex'), policy: null })
    return (await authority.reply(request)).toString('base64')
  }

  /** When a time stamp says that it was made, to the second. */
  const inspected = async (response: string): Promise<Date> => {
    const clock = /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z/.exec(Buffer.from(response, 'base64').toString('latin1'))!
    const [year, month, day, ...time] = clock.slice(1).map(Number) as [number, number, number, number, number, number]
    return new Date(Date.UTC(year, month - 1, day, ...time))
  }

  beforeAll(async () => {
    server = await startServer({ engine: 'sqlite' })
    authority = await startTimeAuthority()
    const session = await interview(server)
    const params = { orgId: server.orgs[0].orgId }
    const body = { authority: { url: authority.url, policy: null, certificates: authority.ca } }
    const headers = await portalCookie(server, 'owner')
    await server.client().call('portal.timestamps.set', { params, headers, body })
    for (const passed of [3_600_000, 300_000]) {
      server.clock.advance(passed)
      await server.processAll()
    }
    members = await bundleOf(server, session)
    stamped = JSON.parse(members.get(path)!.toString()) as Stamped
    verifiers = [(bundle) => verdictOf(bundle, ['--key', keyOf(server)])]
    const chromium = findChromium('the page that checks a bundle')
    if (!chromium) return
    browser = await launchChromium(chromium)
    const page = await openVerifier(browser)
    verifiers.push((bundle) => page.verdictOf(bundle, { key: keyOf(server) }))
  }, patient)
  afterAll(async () => {
    await browser?.close()
    await authority.remove()
    await server.stop()
  })

  it(
    'is said with its row, its time and whose certificate it names',
    async () => {
      for (const verdict of verifiers) {
        const { named, text } = await verdict(members)
        expect(named).toEqual([])
        expect(text).toContain(`up to row ${stamped.rows} has a time stamp of ${stamped.at}`)
        expect(text).toContain('names O=Times, CN=stamps')
      }
    },
    patient,
  )

  it(
    'is refused where it is of something else, or of another time, than is said',
    async () => {
      const [name, , root] = stamped.checkpoint.split('\n') as [string, string, string]
      const foreign = stamped.checkpoint.replaceAll(name, `${name}0`)
      const earlier = new Date(Date.parse(stamped.at) - 86_400_000).toISOString()
      const otherRoot = createHash('sha256').update('another row').digest('base64')
      const [row] = linesIn<{ readonly row: string }>(members, 'audit.jsonl')
      const atRow = async (hash: string) => {
        const { seq } = JSON.parse(row!.row) as { readonly seq: number }
        const chain = `${name}\n${seq}\n${hash}\n`
        return { rows: seq, checkpoint: `${chain}\n— nobody x\n`, response: await stampOf(chain) }
      }
      const cases = [
        { at: earlier },
        { rows: stamped.rows - 1 },
        { checkpoint: foreign },
        { response: await stampOf('something else') },
        { response: Buffer.from(stamped.response, 'base64').subarray(0, -9).toString('base64') },
        { response: '' },
        { checkpoint: stamped.checkpoint.replace(root, otherRoot) },
        await atRow(otherRoot),
      ]
      const inTime = async (response: string) => ({ at: (await inspected(response)).toISOString() })
      for (const change of cases)
        for (const verdict of verifiers) {
          const { named } = await verdict(changed(change))
          expect({ change, named: [...new Set(named)] }).toEqual({ change, named: [`timestamp_broken ${path}`] })
        }
      const right = await atRow(createHash('sha256').update(row!.row).digest('base64'))
      for (const verdict of verifiers) {
        const { named, text } = await verdict(changed({ ...right, ...(await inTime(right.response)) }))
        expect(named).toEqual([])
        expect(text).toContain('is not signed by this key')
      }
    },
    patient,
  )
})
