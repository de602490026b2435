import type { accessActions, openedThings, openers } from '@integrity/protocol'
import type { Needs, Reads } from '../../kernel/call.ts'
import { iso } from '../../kernel/time.ts'
import { openingPages } from '../audit/audit.openings.service.ts'
import { readLanes } from '../reports/coverage.service.ts'

type Opener = (typeof openers)[number]
type Thing = (typeof openedThings)[number]

const openerOf: Readonly<Record<string, Opener>> = {
  ...{ link: 'candidate', agent: 'candidate', companion: 'candidate' },
  ...{ user: 'organisation', account: 'organisation', api_key: 'program', download: 'link' },
}

const thingOf: Readonly<Record<(typeof accessActions)[number], Thing>> = {
  'evidence.viewed': 'facts',
  'evidence.downloaded': 'recording',
  'evidence.download_link_created': 'link',
  'composition.viewed': 'facts',
  'composition.downloaded': 'film',
  'composition.download_link_created': 'link',
  'candidate_request.exported': 'copy',
  'session.exported': 'session',
  'report.exported': 'report',
  'session.bundle_downloaded': 'bundle',
}

interface Opened {
  readonly by: Opener
  readonly thing: Thing
  times: number
  first: number
  readonly last: number
}

/** Who opened what of a session, by day, newest first. Nobody is named: what they are is said. */
export const readOpenings = async (call: Needs<'reader' | 'scope'>, sessionId: string) => {
  const groups = new Map<string, Opened>()
  let oldest: number | null = null
  let isAll = true
  for await (const { rows, isLast } of openingPages(call, { orgId: call.scope.orgId, sessionId })) {
    isAll = isLast
    for (const { at, actorKind, action } of rows) {
      const by = openerOf[actorKind] ?? 'service'
      const thing = thingOf[action as keyof typeof thingOf]
      oldest = at
      const key = `${iso(at).slice(0, 10)} ${by} ${thing}`
      const group = groups.get(key)
      if (!group) groups.set(key, { by, thing, times: 1, first: at, last: at })
      else {
        group.times += 1
        group.first = at
      }
    }
  }
  const opened = [...groups.values()].map(({ first, last, ...group }) => ({
    ...group,
    firstAt: iso(first),
    lastAt: iso(last),
  }))
  return { opened, openedSince: isAll || oldest === null ? null : iso(oldest) }
}

/** For how much of the interview there is something, lane by lane; what was not asked for is left out. */
export const readCoverage = async (call: Reads, sessionId: string) =>
  (await readLanes(call, sessionId)).coverage
    // Whom nobody asked has nothing to read of it: most interviews are in no room of ours.
    .filter(({ enabled, lane, account }) => enabled && (lane !== 'room_camera' || account.length > 0))
    .map(({ lane, declined, expected, observed, gaps }) => ({
      lane,
      declined,
      expectedSeconds: expected,
      observedSeconds: observed,
      gaps: gaps.map(({ fromAt, toAt, reason }) => ({ fromAt, toAt, reason })),
    }))
