import { maxBuilds, type UpdateBuild } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { nextManifest, nextPolicy, type Release } from './updates.compose.model.ts'

const span = { now: Date.parse('2026-09-04T10:00:00.000Z'), lifetimeMs: 86_400_000 }
const build = (version: string, arch: UpdateBuild['arch'] = 'x64', sha512 = 'a'): UpdateBuild => ({
  version,
  platform: 'linux',
  arch,
  url: `https://downloads.example.org/${version}-${arch}`,
  sizeBytes: 1,
  sha512: sha512.repeat(128),
  releasedAt: '2026-09-04T10:00:00.000Z',
})
const release = (fields: Partial<Release> = {}): Release => ({
  app: 'desktop_agent',
  channel: 'stable',
  builds: [],
  withdraw: [],
  ...fields,
})
const first = nextManifest(
  undefined,
  release({ version: '1.0.0', minimum: '1.0.0', builds: [build('1.0.0'), build('1.0.0', 'arm64')] }),
  span,
)
const namesOf = ({ builds }: { builds: readonly UpdateBuild[] }) =>
  builds.map(({ version, arch }) => `${version} ${arch}`)

describe('the next manifest', () => {
  it('begins with 1 and is in force for as long as it was told', () => {
    expect(first).toMatchObject({
      sequence: 1,
      issuedAt: '2026-09-04T10:00:00.000Z',
      expiresAt: '2026-09-05T10:00:00.000Z',
      minimumVersion: '1.0.0',
      latest: { version: '1.0.0' },
    })
  })

  it('has the newest builds first by their version, not by its letters, and replaces one of the same name', () => {
    const second = nextManifest(first, release({ version: '1.10.0', builds: [build('1.10.0')] }), span)
    const third = nextManifest(
      second,
      release({ version: '1.9.0', builds: [build('1.9.0'), build('1.0.0', 'x64', 'b')] }),
      span,
    )
    expect(namesOf(third)).toEqual(['1.10.0 x64', '1.9.0 x64', '1.0.0 x64', '1.0.0 arm64'])
    expect(third.builds[2]?.sha512[0]).toBe('b')
    expect(third).toMatchObject({ sequence: 3, latest: { version: '1.9.0' }, minimumVersion: '1.0.0' })
  })

  it('stays as it is where nothing is said, with a new sequence and a new expiry', () => {
    const later = { now: span.now + 5000, lifetimeMs: 1000 }
    const { sequence, issuedAt, expiresAt, ...rest } = nextManifest(first, release(), later)
    expect(first).toMatchObject(rest)
    expect([sequence, issuedAt, expiresAt]).toEqual([2, '2026-09-04T10:00:05.000Z', '2026-09-04T10:00:06.000Z'])
  })

  it('falls back to the newest build that is left when the latest is withdrawn', () => {
    const second = nextManifest(first, release({ version: '1.1.0', builds: [build('1.1.0')] }), span)
    const third = nextManifest(second, release({ withdraw: ['1.1.0'] }), span)
    expect(third.latest).toEqual({ version: '1.0.0' })
    expect(namesOf(third)).toEqual(['1.0.0 x64', '1.0.0 arm64'])
    expect(() => nextManifest(third, release({ withdraw: ['1.0.0'] }), span)).toThrow('missing: --version')
  })

  it('holds a bounded number of builds: the oldest fall out', () => {
    let manifest = first
    for (let minor = 1; minor <= maxBuilds; minor++)
      manifest = nextManifest(manifest, release({ version: `1.${minor}.0`, builds: [build(`1.${minor}.0`)] }), span)
    expect(manifest.builds).toHaveLength(maxBuilds)
    expect(manifest.builds.at(-1)?.version).toBe('1.1.0')
  })
})

describe('the next policy', () => {
  const pins = [{ host: 'a.example', spkiSha256: [`${'A'.repeat(43)}=`] }]
  it('keeps the pins in force unless others are named, and a reason only for itself', () => {
    const on = nextPolicy(undefined, { enforced: true, pins, reason: 'first' }, span)
    const off = nextPolicy(on, { enforced: false }, span)
    expect(off).toMatchObject({ sequence: 2, pinning: { enforced: false, pins } })
    expect(off).not.toHaveProperty('reason')
    expect(nextPolicy(off, { enforced: true, pins: [] }, span).pinning).toEqual({ enforced: true, pins: [] })
  })
})
