import { describe, expect, it } from 'vitest'
import { exemptions, registryCopies } from './registry-copies.ts'

const path = 'agent/src/x.ts'
const found = (text: string, at = path) => registryCopies([]).find([{ path: at, text }])
const messages = (text: string) => found(text).map(({ message }) => message.replace(/: take .*/, ''))

describe('a list of members', () => {
  it.each([
    ["const mine = ['screen', 'microphone', 'camera']", 'lists lane names (screen, microphone, camera)'],
    ["z.enum([\n  'screen',\n  'microphone',\n  'camera',\n])", 'lists lane names (screen, microphone, camera)'],
    ["type State = 'scheduled' | 'live' | 'ended'", 'lists session states (scheduled, live, ended)'],
    ["type T =\n  | 'offline'\n  | 'paused'\n  | 'unplugged'\n", 'lists gap reasons (offline, paused, unplugged)'],
    ["new Set(['up', 'degraded', 'down'])", 'lists lane health (up, degraded, down)'],
    [
      "const titles = { screenshot: 'x', camera_frame: 'y', 'audio_chunk': 'z' }",
      'lists evidence types (screenshot, camera_frame, audio_chunk)',
    ],
    [
      'const some: Partial<Record<LaneName, string>> = { screen: a, camera: b, signals: c }',
      'lists lane names (screen, camera, signals)',
    ],
    ['const own = /^(lane|agent|spool|quality)\\./', 'lists integrity event kinds (lane, agent, spool, quality)'],
    ['/^(?:lane\\.gap|lane\\.health|vm\\.hint)$/', 'lists integrity event kinds (lane.gap, lane.health, vm.hint)'],
    [
      "const codes: readonly string[] = ['not_found', 'conflict', 'forbidden']",
      'lists error codes (not_found, conflict, forbidden)',
    ],
    [
      "['sessions:read', 'sessions:write', 'reports:read']",
      'lists api scopes (sessions:read, sessions:write, reports:read)',
    ],
    [
      "['session.started', 'session.ended', 'evidence.ready']",
      'lists event types (session.started, session.ended, evidence.ready)',
    ],
  ])('is found: %s', (text, message) => {
    expect(messages(text)).toEqual([message])
  })

  it('is told with its line', () => {
    expect(found("\n\nconst x = ['granted', 'denied', 'unknown']")[0]?.path).toBe(`${path}:3`)
  })

  it.each([
    ['of two', "['screen', 'camera']"],
    ['that is said twice', "['screen', 'camera', 'screen']"],
    ['in a comment', "// 'screen' | 'camera' | 'microphone'\n/* ['screen', 'camera', 'signals'] */"],
    ['in a text', "const words = `['screen', 'camera', 'signals']`"],
    ['in calls', "note('agent.started'); note('agent.stopping'); note('lane.withdrawn')"],
    ['of cases', "switch (lane) { case 'screen': case 'camera': case 'signals': return 1 }"],
    ['in parts of texts', "['screen size', 'camera name', 'microphone level']"],
    ['spread over elements', "[{ lane: 'screen' }, { lane: 'camera' }, { lane: 'signals' }]"],
  ])('is not one %s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

describe('an object whose keys the compiler demands', () => {
  const body = '{ screen: a, camera: b, signals: c }'
  it.each([
    ['is annotated', `const x: Record<LaneName, string> = ${body}`],
    ['is annotated as readonly', `export const x: Readonly<Record<LaneName, string>> = ${body}`],
    ['satisfies', `const x = ${body} satisfies Record<LaneName, string>`],
    ['satisfies as a constant', `const x = ${body} as const satisfies Readonly<Record<LaneName, string>>`],
    ['stands in another', `const x: Record<Platform, Record<LaneName, string>> = { linux: ${body}, darwin: ${body} }`],
  ])('is allowed: it %s', (_, text) => {
    expect(found(text)).toEqual([])
  })

  it('does not excuse the lists in it, nor what comes after', () => {
    const list = "['screen', 'camera', 'signals']"
    expect(found(`const x: Record<Page, string[]> = { first: ${list} }`)).toHaveLength(1)
    expect(found(`const x: Record<LaneName, string> = ${body}\nconst y = ${body}`)).toHaveLength(1)
    expect(found(`const x = ${body} satisfies Partial<Record<LaneName, string>>`)).toHaveLength(1)
  })
})

describe('files', () => {
  const text = "const x = ['screen', 'camera', 'signals']"

  it('of every package are looked at', () => {
    for (const at of ['server/src/x.ts', 'room-web/src/x.tsx', 'companion/src/x.ts', 'scripts/demo/x.ts'])
      expect(found(text, at), at).toHaveLength(1)
  })

  it('of the contract, tests and what only tests use are not', () => {
    for (const at of [
      'shared-protocol/src/domains/interviews/lanes/lanes.registry.ts',
      'agent/src/x.test.ts',
      'agent/src/core/session/test-support/x.ts',
      'server/test/flows/x.ts',
      'docs/x.md',
    ])
      expect(found(text, at), at).toEqual([])
  })
})

describe('an exemption', () => {
  const exempt = [{ path, registry: 'lane names', why: 'a test' }] as const
  const text = "const x = ['screen', 'camera', 'signals']"

  it('excuses its file and its registry, and nothing else', () => {
    const check = registryCopies(exempt)
    expect(check.find([{ path, text }])).toEqual([])
    const other = { path: 'agent/src/y.ts', text }
    expect(check.find([{ path, text }, other]).map((finding) => finding.path)).toEqual(['agent/src/y.ts:1'])
    expect(check.find([{ path, text: `${text}\n['up', 'degraded', 'down']` }])).toHaveLength(1)
  })

  it('that excuses nothing any more is told', () => {
    expect(registryCopies(exempt).find([{ path, text: '' }])).toEqual([
      { path, message: 'no longer lists lane names: the exemption is stale' },
    ])
  })

  it('says why, each once', () => {
    for (const { why } of exemptions) expect(why.length).toBeGreaterThan(10)
    const keys = exemptions.map(({ path: at, registry }) => `${at} ${registry}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
