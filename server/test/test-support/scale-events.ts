import { setTimeout as pause } from 'node:timers/promises'
import type { IntegrityClient } from '@integrity/client'
import { clientOf } from './scale-interview.ts'
import type { Receiver } from './webhook-receiver.ts'

export interface Watching {
  readonly streamed: string[]
  readonly stop: () => Promise<void>
}

/** Everything that an event stream shows. */
export const watch = (url: string, key: string): Watching => {
  const over = new AbortController()
  const streamed: string[] = []
  const read = async () => {
    for await (const event of clientOf(url, key).streamEvents({ signal: over.signal })) streamed.push(event.id)
  }
  const reading = read()
  return {
    streamed,
    stop: async () => {
      over.abort()
      await reading
    },
  }
}

export const listAll = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const lookMs = 100
const patienceMs = 120_000
/** Waits until every event has arrived, at most so long; the caller then names the missing ones. */
const settled = async (met: () => boolean): Promise<void> => {
  for (let waited = 0; !met() && waited < patienceMs; waited += lookMs) await pause(lookMs)
}

interface Post {
  /** When it was received, epoch milliseconds. */
  readonly at: number
  readonly id: string
  /** What it is called in its headers, where receivers look for it. */
  readonly named: string
  /** What it says, whatever it is called. */
  readonly fact: string
}

const postsOf = ({ received }: Receiver): Post[] =>
  received.map(({ at, body, headers }) => {
    const { id, type, sessionId, data } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    return { at, id: String(id), named: String(headers['webhook-id']), fact: JSON.stringify([type, sessionId, data]) }
  })

/** Posts that came again, each under the id that it had before; and in words what came again under another one, or changed. */
export const doublesIn = (receiver: Receiver) => {
  const [facts, ids] = [new Map<string, string>(), new Map<string, string>()]
  const doubled: Post[] = []
  const wrong: string[] = []
  for (const post of postsOf(receiver)) {
    const { id, named, fact } = post
    if (named !== id) wrong.push(`event ${id} was posted as ${named}`)
    const before = facts.get(id)
    if (before !== undefined) doubled.push(post)
    if (before !== undefined && before !== fact) wrong.push(`event ${id} was posted again with other content`)
    // Health may go up and down again; everything else happens once.
    const other = fact.startsWith('["source.') ? id : (ids.get(fact) ?? id)
    if (other !== id) wrong.push(`the same was posted as ${other} and as ${id}: ${fact}`)
    facts.set(id, fact)
    ids.set(fact, id)
  }
  return { doubled, wrong }
}

const missing = (all: readonly string[], there: ReadonlySet<string>): number =>
  all.filter((id) => !there.has(id)).length

/** Compares what was published with what was posted and streamed, once that has come. */
export const judgeEvents = async (api: IntegrityClient, { streamed }: Watching, receiver: Receiver) => {
  const published = (await listAll(api.items('events.list', { query: { limit: 100 } }))).map(({ id }) => id)
  const delivered = () => new Set(postsOf(receiver).map(({ id }) => id))
  // What a killed process was sending is sent again when its lease is over.
  await settled(() => [delivered(), new Set(streamed)].every((there) => missing(published, there) === 0))
  const { doubled, wrong } = doublesIn(receiver)
  const [posted, shown] = [delivered(), new Set(streamed)]
  const told = (count: number, words: string) => (count > 0 ? [`${count} ${words}`] : [])
  return {
    events: { published: published.length, streamed: streamed.length, delivered: posted.size },
    doubled,
    wrong: [
      ...wrong,
      ...told(missing(published, posted), `of ${published.length} events were not delivered`),
      ...told(missing([...posted], new Set(published)), 'events were delivered that were never published'),
      ...told(missing(published, shown), `of ${published.length} events were not streamed`),
      ...told(streamed.length - shown.size, 'events were streamed twice'),
    ],
  }
}
