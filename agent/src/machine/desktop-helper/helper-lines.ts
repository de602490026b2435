import * as z from 'zod'

const text = z.string().max(300)
const count = z.number().min(0)
const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }

/** A window whose program asked the system to leave it out of recordings. `key` tells windows apart on this device only. */
const excludedWindow = z.object({ key: text, application: text.nullable(), ...box })

/** One state of each thing a helper can look at. Times in milliseconds. */
const topics = {
  /** `title` only from a helper that was started for titles. */
  foreground: z.object({
    application: text.nullable(),
    bundleId: text.nullable().optional(),
    title: text.nullable().optional(),
  }),
  idle: z.object({ ms: count }),
  locked: z.object({ locked: z.boolean().nullable() }),
  /** How often the clipboard changed since the system started. */
  clipboard: z.object({ count }),
  windows: z.object({ excluded: z.array(excludedWindow).max(1000) }),
  /** Time asleep since the system started. */
  asleep: z.object({ ms: count }),
  processes: z.object({ names: z.array(text).max(20_000) }),
  devices: z.object({
    devices: z
      .array(z.object({ kind: z.enum(['camera', 'microphone']), name: text, id: z.string().max(1000) }))
      .max(1000),
  }),
} as const

export type HelperTopic = keyof typeof topics
export type HelperState<T extends HelperTopic> = z.output<(typeof topics)[T]>
const helperTopics = Object.keys(topics) as HelperTopic[]

/** A line of a helper: a state, a thing it cannot look at, or a sign of life. */
export type HelperLine =
  | { [T in HelperTopic]: { topic: T; state: HelperState<T> } }[HelperTopic]
  | { topic: 'failed'; of: HelperTopic }
  | { topic: 'alive' }

const failed = z.object({ of: z.enum(helperTopics) })

/**
 * Reads one line of the helpers' protocol: JSON, one object to a line, `topic` first among equals. What is not of the
 * protocol throws, and says nothing of what it was. A helper's own words about a failure are not read: they may name
 * files and people.
 */
export const parseHelperLine = (line: string): HelperLine => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error('a line that is not JSON')
  }
  const topic = z.object({ topic: z.enum([...helperTopics, 'failed', 'alive']) }).safeParse(value).data?.topic
  if (topic === undefined) throw new Error('a line about nothing that was asked')
  if (topic === 'alive') return { topic }
  const parsed = topic === 'failed' ? failed.safeParse(value) : topics[topic].safeParse(value)
  if (!parsed.success) throw new Error(`a line about ${topic} that cannot be read`)
  return (topic === 'failed' ? { topic, ...parsed.data } : { topic, state: parsed.data }) as HelperLine
}
