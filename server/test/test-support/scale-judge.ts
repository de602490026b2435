import type { IntegrityClient } from '@integrity/client'
import { judgeEvents, listAll, type Watching } from './scale-events.ts'
import { bundleOf, evidenceIn, type Interview } from './scale-interview.ts'
import type { Ledger, Lost } from './scale-ledger.ts'
import type { Receiver } from './webhook-receiver.ts'

export interface Judged {
  readonly interviews: number
  readonly evidence: { readonly sent: number; readonly kept: number }
  readonly events: { readonly published: number; readonly streamed: number; readonly delivered: number }
  /** Acknowledged, and not there or something else. */
  readonly lost: readonly Lost[]
  /** Webhook posts that came again under their id. */
  readonly doubled: readonly { readonly at: number; readonly id: string }[]
  /** What is not as it has to be, in words. */
  readonly wrong: readonly string[]
}

interface Done {
  readonly held: readonly Interview[]
  readonly ledger: Ledger
  readonly watching: Watching
  readonly receiver: Receiver
}

/** Compares what was acknowledged with what is there: all of it, and nothing twice. */
export const judge = async (api: IntegrityClient, { held, ledger, watching, receiver }: Done): Promise<Judged> => {
  const wrong: string[] = []
  const sessions = await listAll(api.items('sessions.list', { query: { limit: 100 } }))
  const kept = new Set(sessions.map(({ id }) => id))
  if (sessions.length !== held.length || held.some(({ id }) => !kept.has(id)))
    wrong.push(`${held.length} interviews were held and ${sessions.length} are there`)
  const counts = new Map<string, number>()
  const lost = await ledger.findLost(async (id) => {
    const bundle = await bundleOf(api, id)
    counts.set(id, evidenceIn(bundle).length)
    return bundle
  })
  for (const { id, externalId, items } of held)
    if (counts.get(id) !== items) wrong.push(`${externalId} has ${counts.get(id)} items instead of ${items}`)
  const evidence = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const { events, doubled, ...found } = await judgeEvents(api, watching, receiver)
  const unworded = new Set(ledger.answers.filter(({ inWords }) => !inWords).map(({ refusal }) => refusal))
  return {
    interviews: held.length,
    evidence: { sent: held.reduce((sum, { items }) => sum + items, 0), kept: evidence },
    events,
    lost,
    doubled,
    wrong: [
      ...wrong,
      ...lost.map(({ what, why }) => `${what} was acknowledged and is lost: ${why}`),
      ...found.wrong,
      ...[...unworded].map((refusal) => `refused without words: ${refusal}`),
    ],
  }
}
