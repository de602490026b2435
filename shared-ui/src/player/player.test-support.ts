import type { Finding } from './checking.ts'
import { PlayerEngine } from './engine.ts'
import type { ReelItem, ReelSpan } from './reel.ts'
import { type IndexSource, timelineOf } from './timeline.ts'

type Account = IndexSource['account']

interface SourceOptions {
  readonly at?: readonly number[]
  readonly durations?: readonly (number | null)[]
  readonly account?: Account
  readonly lane?: string
  readonly contentType?: string
}

/** A source that recorded at these instants. */
export const source = (
  name: string,
  { at = [], durations, account = [], lane = 'screen', contentType = 'image/webp' }: SourceOptions = {},
): IndexSource => ({
  source: name,
  lane,
  account,
  items: {
    id: at.map((ms) => `${name}@${ms}`),
    atMs: at,
    durationMs: durations ?? at.map(() => null),
    sizeBytes: at.map(() => 100),
    contentType: at.map(() => contentType),
  },
})

interface Asked extends ReelSpan {
  readonly signal: AbortSignal
  readonly arrive: (...atMs: number[]) => void
  readonly end: (nextMs?: number | null) => Promise<void>
  readonly fail: (error: Error) => Promise<void>
  readonly hand: (item: Partial<ReelItem> & Pick<ReelItem, 'id'>) => void
}

/** Lets everything that waits on a settled promise go on. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

const itemOf = (id: string, more: Partial<ReelItem> = {}): ReelItem => ({
  id,
  atMs: Number(id.split('@')[1]),
  durationMs: null,
  contentType: 'image/webp',
  sha256: 'a'.repeat(64),
  absent: undefined,
  bytes: new Uint8Array([1, 2, 3]),
  ...more,
})

/** Answers reels as a test says, by a clock that stands until it is moved. */
export const reels = () => {
  let nowMs = 1000
  const asked: Asked[] = []
  const alone: string[] = []
  const load = (span: ReelSpan, onItem: (item: ReelItem) => void, signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>()
    asked.push({
      ...span,
      signal,
      arrive: (...places) => {
        for (const at of places) onItem(itemOf(`${span.source}@${at}`))
      },
      hand: ({ id, ...item }) => onItem(itemOf(id, item)),
      end: (next = null) => {
        resolve(next)
        return settled()
      },
      fail: (error) => {
        reject(error)
        return settled()
      },
    })
    return promise
  }
  const loadItem = async (id: string) => {
    alone.push(id)
    return new Uint8Array([9])
  }
  return {
    asked,
    alone,
    ports: { load, loadItem, now: () => nowMs },
    /** Of what was asked last. */
    last: (): Asked => asked.at(-1)!,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

/** An engine on such reels. `check`: what is found of each item; `unsigned` unless given. */
export const playerOf = (
  sources: readonly IndexSource[],
  check: (item: ReelItem) => Promise<Finding> = async () => 'unsigned',
) => {
  const answers = reels()
  const engine = new PlayerEngine(timelineOf(sources), { ...answers.ports, check })
  const phase = () => engine.playing().phase
  const view = (name: string) => engine.playing().views.get(name)
  const pass = (ms: number) => {
    answers.pass(ms)
    engine.tick()
  }
  return { ...answers, engine, phase, view, pass }
}
