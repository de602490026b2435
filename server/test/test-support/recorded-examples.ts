import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RecordedExample, RecordedExamples } from '@integrity/protocol/openapi'
import * as z from 'zod'
import type { Example } from './examples/example.ts'
import type { RawAnswer } from './send.ts'

const file = fileURLToPath(new URL('../../../shared-protocol/generated/examples.json', import.meta.url))

/** The moment at which every example is told. */
const moment = Date.parse('2027-09-06T09:00:00.000Z')
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const mostItems = 2
const mostLetters = 600

/** The same text for the same one, whatever this run happened to make of it. */
const createNames = () => {
  const known = new Map<string, number>()
  return (kind: string, text: string): number => {
    const key = `${kind} ${text}`
    const place = known.get(key) ?? [...known.keys()].filter((other) => other.startsWith(`${kind} `)).length
    known.set(key, place)
    return place
  }
}

/** What a process says of itself. */
const ofProcess: Readonly<Record<string, unknown>> = { commit: '4f3d2c1b0a9e', uptimeSeconds: 86_400 }

/** What differs from run to run: ids, secrets, hashes, addresses, and what time it is. */
const createNormaliser = (now: number, most = mostItems) => {
  const placeOf = createNames()
  const textOf = (text: string): string => {
    if (instant.test(text)) return new Date(Date.parse(text) - now + moment).toISOString()
    const plain = text
      .replace(/\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, kind: string) => {
        const place = placeOf(kind, id)
        return `${kind}_01k9s4m2r8v6x3w7y5z0abcd${letters[place >> 5]}${letters[place % 32]}`
      })
      .replace(
        /\b((?:[a-z]{2,5}_)+)[A-Za-z0-9+/_-]{27,}=*/g,
        (token, kind: string) => `${kind}${'example'.repeat(40).slice(0, token.length - kind.length)}`,
      )
      .replace(/\b[0-9a-f]{64}\b/g, (hash) => `c0ffee${placeOf('hash', hash)}`.padEnd(64, '0'))
      .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, '0192f0c4-7e5a-7cc0-8000-000000000001')
      .replace(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'https://integrity.example')
      .replace(/\b127\.0\.0\.1(?::|%3A)\d+/g, 'integrity.example')
      .replace(/\b127\.0\.0\.1\b/g, '198.51.100.7')
      .replace(/\bclient-\d+-[0-9a-f]{8}\b/g, (id) => `client-${placeOf('client', id) + 1}`)
    return plain.length <= mostLetters ? plain : plain.slice(0, mostLetters)
  }
  const plainOf = (value: unknown): unknown => {
    if (typeof value === 'string') return textOf(value)
    if (Array.isArray(value)) return value.slice(0, most).map(plainOf)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name in ofProcess ? ofProcess[name] : plainOf(inner)]),
    )
  }
  return plainOf
}

const isJson = ({ headers }: RawAnswer): boolean => /[/+]json/.test(headers.get('content-type') ?? '')

/** A request that succeeded and its answer, as the document of the interface shows them. */
export const recordedFrom = (
  now: number,
  example: Example,
  answer: RawAnswer,
  body?: z.core.$ZodType,
): RecordedExample => {
  const normalised = createNormaliser(now)
  const asked = example.json === undefined ? undefined : normalised(example.json)
  // A list that must have so many items is not shortened.
  const whole = asked !== undefined && body !== undefined && !z.safeParse(body, asked).success
  return {
    ...(asked === undefined
      ? {}
      : { request: whole ? createNormaliser(now, Number.POSITIVE_INFINITY)(example.json) : asked }),
    ...(isJson(answer) && answer.text !== ''
      ? { status: answer.status, answer: normalised(JSON.parse(answer.text)) }
      : {}),
  }
}

/** Names of the fields of what an answer holds; what lies deeper depends on what the session went through. */
export const fieldsOf = ({ answer }: RecordedExample): readonly string[] => {
  if (typeof answer !== 'object' || answer === null) return []
  const inner = (answer as { data?: unknown }).data ?? answer
  return Object.keys(inner as object).sort()
}

export const readRecorded = (): RecordedExamples => JSON.parse(readFileSync(file, 'utf8')) as RecordedExamples

export const writeRecorded = (recorded: RecordedExamples): void => {
  const sorted = Object.entries(recorded).sort(([a], [b]) => a.localeCompare(b))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`)
}
