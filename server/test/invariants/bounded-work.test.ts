import {
  bodyLimitOf,
  bodyValuesOf,
  type EndpointId,
  type EndpointSpec,
  packLimits,
  packMediaType,
} from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, makeExample, specOf } from '../test-support/examples.ts'
import { send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds } from './common.ts'

/**
 * What any caller may send must not stop the others: no body holds the thread that all share for long, whatever its shape.
 *
 * Endpoints share one way from bytes to a checked body (`pipeline/bodies/read-body.ts`, `platform/json-shape.ts`), so each shape is sent in the largest size that is taken
 * once to each class of bodies: those with the same ceilings in bytes and values, read in the same way. To every endpoint goes each
 * shape at 32 KiB, and once with as many values as it lets through, which its own schema and handler have to bear.
 *
 * Processor time of this thread is measured, not the time on the wall, and held to what the same bytes cost as a plain request of
 * the same run: on a slow or busy machine both take longer. The sender is the same thread, and pays in both.
 */
const json = { 'content-type': 'application/json' }
const withBody = allIds.filter((id) => specOf(id).body !== undefined || specOf(id).upload !== undefined)

/** Endpoints whose bodies are read in the same way and bounded alike. */
const classOf = (spec: EndpointSpec): string =>
  [bodyLimitOf(spec), bodyValuesOf(spec), spec.form, spec.signed, spec.upload?.from].join(' ')
const classes = new Map(withBody.map((id) => [classOf(specOf(id)), id]))

type Shape = (bytes: number, values: number) => string
const upTo = (bytes: number, piece: (n: number) => string, most = Number.POSITIVE_INFINITY): string => {
  const pieces: string[] = []
  let length = 0
  for (let n = 0; n < most; n++) {
    const next = piece(n)
    length += next.length + 1
    if (length > bytes) break
    pieces.push(next)
  }
  return pieces.join(',')
}
/** As many values as are let through, fewer by what stands around them. */
const fitting = (values: number) => values - 4

const shapes: Readonly<Record<string, Shape>> = {
  'many names': (bytes) => `{${upTo(bytes - 2, (n) => `"k${n}":1`)}}`,
  'many names and half a surrogate pair': (bytes) => `{"x":"\\ud800",${upTo(bytes - 20, (n) => `"k${n}":1`)}}`,
  'many objects of many names': (bytes, values) =>
    `[${upTo(bytes - 2, () => `{${upTo(bytes, (n) => `"k${n}":1`, 1900)}}`, Math.floor(values / 1905))}]`,
  'a long list': (bytes) => `[${upTo(bytes - 2, () => '0')}]`,
  'many empty lists': (bytes) => `{"a":[${upTo(bytes - 8, () => '[]')}]}`,
  'many siblings': (bytes) => `{"a":[${upTo(bytes - 8, () => '{"a":1}')}]}`,
  'deep lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'deep objects': (bytes) => `${'{"a":'.repeat(Math.floor(bytes / 7))}1${'}'.repeat(Math.floor(bytes / 7))}`,
  'halves of surrogate pairs': (bytes) => `{"a":"${'\\ud800'.repeat(Math.floor(bytes / 6) - 2)}"}`,
  'escaped quotes': (bytes) => `{"a":"${'\\"'.repeat(Math.floor(bytes / 2) - 5)}"}`,
  'one long text': (bytes) => `{"a":"${'a'.repeat(bytes - 8)}"}`,
  'one long name': (bytes) => `{"${'a'.repeat(bytes - 8)}":1}`,
  'one long number': (bytes) => `{"a":${'1'.repeat(bytes - 7)}}`,
  'no JSON': (bytes) => '{"a":'.padEnd(bytes, '"'),
  'as many names as are let through': (bytes, values) =>
    `{"x":"\\ud800",${upTo(bytes - 20, (n) => `"k${n}":1`, fitting(values))}}`,
  'as many parts of a form': (bytes) => upTo(bytes, (n) => `k${n}=1`).replaceAll(',', '&'),
}

/** What a name of the example's body holds, put in place of its own value: what is checked by pattern or walked as a list. */
const hostileValues: readonly ((length: number, values: number) => unknown)[] = [
  (_length, values) => Array(Math.max(1, Math.floor(fitting(values) / 2) - 100)).fill(0),
  (_length, values) => Array(Math.max(1, Math.floor(fitting(values) / 4) - 50)).fill({ value: 0 }),
  (_length, values) =>
    Object.fromEntries(Array.from({ length: Math.min(1900, fitting(values) - 200) }, (_, n) => [`k${n}`, n])),
  (length) => 'a'.repeat(length),
  (length) => '@.'.repeat(length / 2),
  (length) => '\u0001 '.repeat(length / 2),
  (length) => '-1:'.repeat(length / 3),
]

type Path = readonly (string | number)[]
/** Where something stands within the fields of a body, deeper than these. */
const placesWithin = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return path.length > 1 ? [path] : []
  const inner = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value)
  return [...(path.length > 1 ? [path] : []), ...inner.flatMap(([name, one]) => placesWithin(one, [...path, name]))]
}
const replaced = (value: unknown, [name, ...rest]: Path, given: unknown): unknown => {
  if (name === undefined) return given
  if (Array.isArray(value)) return value.map((one, at) => (at === name ? replaced(one, rest, given) : one))
  return { ...(value as object), [name]: replaced((value as Record<string, unknown>)[name], rest, given) }
}
/** Of these there are many: one of each kind. */
const hostileWithin = [0, 1].map((n) => hostileValues[n]!)

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const rss = () => process.memoryUsage().rss / 2 ** 20

describe('no body holds up the others', () => {
  let server: TestServer
  let world: World
  /** Milliseconds for an ordinary small request; for a body of the same length that says nothing, by its length. */
  let ordinary: number
  const plain = new Map<number, number>()

  const timed = async (id: EndpointId, example: Example, payload: string | Buffer<ArrayBuffer>, type?: string) => {
    const headers = { ...example.headers, ...json, ...(type !== undefined && { 'content-type': type }) }
    const before = cpu()
    const answer = await send(server.url, specOf(id), { ...example, headers, payload })
    return { ms: cpu() - before, status: answer.status }
  }
  /** The least of some runs: one that meets a collection of garbage says nothing of the shape. */
  const leastOf = async (run: () => Promise<{ ms: number; status: number }>, within: number) => {
    let least = Number.POSITIVE_INFINITY
    let status = 0
    for (let times = 0; times < 4 && least > within; times++) {
      const one = await run()
      least = Math.min(least, one.ms)
      status = one.status
    }
    return { ms: least, status }
  }

  beforeAll(async () => {
    server = await startServer({})
    world = await buildWorld(server)
    const example = await makeExample(world, 'sessions.create')
    for (let n = 0; n < 20; n++) await timed('sessions.create', example, String(example.payload))
    const runs = []
    for (let n = 0; n < 20; n++) runs.push((await timed('sessions.create', example, '{"a":1}')).ms)
    ordinary = runs.toSorted((a, b) => a - b)[10]!
  })
  afterAll(() => server.stop())

  /** What so many bytes cost that hold nothing: blanks, which are read, sent and looked at like any. */
  const plainOf = async (id: EndpointId, example: Example, bytes: number): Promise<number> => {
    const known = plain.get(bytes)
    if (known !== undefined) return known
    const payload = `{"a":${' '.repeat(bytes - 7)}1}`
    const { ms } = await leastOf(() => timed(id, example, payload), 0)
    plain.set(bytes, ms)
    return ms
  }
  /** Beside the bytes themselves: 25 small requests, which is 50 ms where one takes two. */
  const allowed = (base: number) => 3 * base + 25 * Math.max(1, ordinary)

  for (const [name, id] of classes)
    it(`of the class ${name} (${id}), in the largest size and any shape`, async () => {
      const spec = specOf(id)
      const example = await makeExample(world, id)
      const bytes = bodyLimitOf(spec)
      const base = await plainOf(id, example, bytes)
      const before = rss()
      const slow: string[] = []
      for (const [shape, make] of Object.entries(shapes)) {
        const payload = make(bytes, bodyValuesOf(spec))
        const type = spec.form ? 'application/x-www-form-urlencoded' : undefined
        const { ms, status } = await leastOf(() => timed(id, example, payload, type), allowed(base))
        expect(status, shape).toBeGreaterThanOrEqual(400)
        expect(status, shape).toBeLessThan(500)
        if (ms > allowed(base)) slow.push(`${shape}: ${ms} ms, where ${allowed(base)} are allowed`)
      }
      expect(slow).toEqual([])
      // Each body is in memory some times over, here with its sender; what is built of it does not.
      expect(rss() - before).toBeLessThan(200 + (16 * bytes) / 2 ** 20)
    })

  /** A body of frames is no JSON, and each of its heads is. */
  it('of frames, as many as are taken, with heads of the largest size and any shape', async () => {
    const id = 'agent.packs.upload'
    const example = await makeExample(world, id)
    const { headBytes, items } = packLimits
    const item = { clientId: 'c1', evidenceType: 'screen_clip', contentType: 'video/webm', sha256: 'a'.repeat(64) }
    const hostile = hostileValues.map((make, n) => {
      const metadata = make(20_000, 1000)
      return [`metadata with hostile value ${n}`, JSON.stringify({ ...item, metadata }).slice(0, headBytes)] as const
    })
    const heads = [
      ...Object.entries(shapes).map(([shape, make]) => [shape, make(headBytes, 1000)] as const),
      ...hostile,
    ]
    const pack = (head: string) => {
      const bytes = Buffer.from(head)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return Buffer.concat(Array.from({ length: items }, () => [length, bytes, Buffer.alloc(4)]).flat())
    }
    const sent = (head: string) => timed(id, example, pack(head), packMediaType)
    const { ms: base } = await leastOf(() => sent(`{"a":${' '.repeat(headBytes - 7)}1}`), 0)
    const slow: string[] = []
    for (const [shape, head] of heads) {
      const { ms, status } = await leastOf(() => sent(head), allowed(base))
      expect([200, 207, 400], shape).toContain(status)
      if (ms > allowed(base)) slow.push(`${shape}: ${ms} ms, where ${allowed(base)} are allowed`)
    }
    expect(slow).toEqual([])
  })

  for (const id of withBody)
    it(`to ${id}, in any shape and with anything in each of its fields`, async () => {
      const spec = specOf(id)
      const bytes = Math.min(bodyLimitOf(spec), 32 * 1024)
      const values = bodyValuesOf(spec)
      const example = await makeExample(world, id)
      const fields = Object.keys(example.json ?? {})
      const bodies = Object.entries(shapes).map(([shape, make]) => [shape, make(bytes, values)] as const)
      for (const field of fields)
        for (const [n, make] of hostileValues.entries()) {
          const value = make(Math.min(bodyLimitOf(spec) - 2000, 250_000), Math.min(values, bodyLimitOf(spec) / 24))
          bodies.push([
            `${field} with hostile value ${n}`,
            JSON.stringify({ ...(example.json as object), [field]: value }),
          ])
        }
      for (const path of placesWithin(example.json ?? {}))
        for (const [n, make] of hostileWithin.entries()) {
          const value = make(Math.min(bodyLimitOf(spec) - 2000, 250_000), Math.min(values, bodyLimitOf(spec) / 24))
          bodies.push([
            `${path.join('.')} with hostile value ${n}`,
            JSON.stringify(replaced(example.json, path, value)),
          ])
        }
      const slow: string[] = []
      for (const [shape, payload] of bodies) {
        if (Buffer.byteLength(payload) > bodyLimitOf(spec)) continue
        const limit = allowed((ordinary * payload.length) / 100_000)
        const { ms, status } = await leastOf(() => timed(id, example, payload), limit)
        // What was turned away before its body was read measures nothing.
        expect(spec.signed || id === 'pairings.claim' ? [500] : [403, 404, 429, 500, 503], shape).not.toContain(status)
        if (ms > limit) slow.push(`${shape}: ${ms} ms, where ${limit} are allowed`)
      }
      expect(slow).toEqual([])
    })
})
