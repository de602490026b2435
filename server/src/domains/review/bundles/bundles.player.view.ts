import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { reelIndexLimits } from '@integrity/protocol'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { indexItems } from '../../recording/evidence/spans.service.ts'
import { reelIndexView } from '../reels/reel-index.view.ts'
import { readMoments } from '../reports/coverage.service.ts'
import type { ManifestPart } from './bundles.manifest.model.ts'
import type { PartsCall, WrittenPart } from './bundles.parts.view.ts'
import type { Wanted } from './bundles.types.ts'

const page = resolve(import.meta.dirname, '../../../../../docs/verify/play-bundle.html')

type Index = ReturnType<typeof reelIndexView>

/** The path of each item of evidence that is here with its plain bytes. */
const pathsIn = (parts: readonly ManifestPart[]): ReadonlyMap<string, string> =>
  new Map(
    parts.flatMap(({ kind, path, leftOut, evidence }): [string, string][] =>
      kind === 'evidence' && leftOut === undefined && !path.endsWith('.age') ? [[String(evidence?.['id']), path]] : [],
    ),
  )

const sourceOf = (
  { source, lane, label, account, items }: Index['sources'][number],
  paths: ReadonlyMap<string, string>,
) => ({
  source,
  lane,
  label,
  /** Times that no picture stands for. */
  unseen: account.filter(([, , state, , held]) => state !== 'observed' || !held).map(([from, to]) => [from, to]),
  items: (items?.id ?? []).flatMap((id, n) => {
    const path = paths.get(id)
    if (path === undefined) return []
    const [atMs, durationMs] = [items?.atMs[n], items?.durationMs[n]]
    return [{ path, contentType: items?.contentType[n], atMs, durationMs }]
  }),
})

/**
 * What the page plays: when each file of the bundle was captured, and the moments for whoever may have the reports. It
 * repeats no words, so that a line that is taken out of the transcript is gone.
 */
const accountOf = async (
  call: PartsCall,
  { session, wanted, parts }: { session: SessionRow; wanted: Wanted; parts: readonly ManifestPart[] },
): Promise<object> => {
  const items = await indexItems(call, { sessionId: session.id, take: reelIndexLimits.items + 1 })
  const facts = { ...(await readMoments(call, session.id)), items, notes: [], statements: [], speech: undefined }
  const { sessionId, startedAt, sources, moments, complete } = reelIndexView(facts, { named: false })
  const lengths = sources.flatMap(({ account }) => account.map(([, to]) => to))
  const paths = pathsIn(parts)
  return {
    sessionId,
    startedAt,
    complete,
    sealed: wanted.recipients.length > 0,
    lengthMs: lengths.reduce((most, one) => Math.max(most, one), 0),
    sources: sources.map((source) => sourceOf(source, paths)),
    moments: wanted.reports ? moments.map(({ atMs, title }) => ({ atMs, title })).sort((a, b) => a.atMs - b.atMs) : [],
  }
}

/** A page that plays the unpacked bundle from its folder, and what it plays as a script: a page of a file may fetch nothing. */
export const playerParts = async (
  call: PartsCall,
  made: { readonly session: SessionRow; readonly wanted: Wanted; readonly parts: readonly ManifestPart[] },
): Promise<readonly WrittenPart[]> => [
  { path: 'play.html', kind: 'player', text: [await readFile(page, 'utf8')] },
  {
    path: 'play.js',
    kind: 'player_data',
    text: [`globalThis.bundleAccount = ${JSON.stringify(await accountOf(call, made))}\n`],
  },
]
