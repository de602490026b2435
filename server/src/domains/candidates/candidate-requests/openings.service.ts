import type { accessActions, openedThings, openers } from '@integrity/protocol'
import { hasRecording } from '@integrity/protocol/clients/lane-words'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import type { AuditPage } from '../../recording/audit/audit.list.service.ts'
import { openingPages } from '../../recording/audit/audit.openings.service.ts'
import { readLanes } from '../../review/reports/coverage.service.ts'

type Opener = (typeof openers)[number]
type Thing = (typeof openedThings)[number]

const openerOf: Readonly<Record<string, Opener>> = {
  link: 'candidate',
  agent: 'candidate',
  companion: 'candidate',
  user: 'organisation',
  account: 'organisation',
  api_key: 'program',
  download: 'link',
}

const thingOf: Readonly<Record<(typeof accessActions)[number], Thing>> = {
  'evidence.viewed': 'facts',
  'evidence.downloaded': 'recording',
  'evidence.played': 'recording',
  'evidence.download_link_created': 'link',
  'composition.viewed': 'facts',
  'composition.downloaded': 'film',
  'composition.download_link_created': 'link',
  'candidate_request.exported': 'copy',
  'session.exported': 'session',
  'report.exported': 'report',
  'session.bundle_downloaded': 'bundle',
  'session.watched': 'live',
}

interface Opened {
  readonly by: Opener
  readonly thing: Thing
  times: number
  first: number
  readonly last: number
}

const minuteOf = (at: number): number => Math.floor(at / 60_000)

/** Openings, put together as they are read, newest first. */
class Openings {
  readonly #groups: Opened[] = []
  readonly #byDay = new Map<string, Opened>()
  /** The stretch of minutes that somebody watched, as far as it is read. */
  readonly #watched = new Map<string, Opened>()

  add({ at, actorKind, actorId, action }: AuditPage['rows'][number]): void {
    const by = openerOf[actorKind] ?? 'service'
    const thing = thingOf[action as keyof typeof thingOf]
    if (thing === 'live') this.#join(this.#watched, actorId, { by, thing, at })
    else this.#join(this.#byDay, `${iso(at).slice(0, 10)} ${by} ${thing}`, { by, thing, at })
  }

  #join(groups: Map<string, Opened>, key: string, { by, thing, at }: Pick<Opened, 'by' | 'thing'> & { at: number }) {
    const group = groups.get(key)
    if (group && (thing !== 'live' || minuteOf(group.first) - minuteOf(at) <= 1)) {
      group.times += 1
      group.first = at
      return
    }
    const begun = { by, thing, times: 1, first: at, last: at }
    groups.set(key, begun)
    this.#groups.push(begun)
  }

  view() {
    return this.#groups.map(({ first, last, ...group }) => ({ ...group, firstAt: iso(first), lastAt: iso(last) }))
  }
}

/**
 * Who opened what of a session, by day, newest first; what one person watched live in minutes that follow each other is one
 * stretch. Nobody is named: what they are is said.
 */
export const readOpenings = async (call: Needs<'reader' | 'scope'>, sessionId: string) => {
  const openings = new Openings()
  let oldest: number | null = null
  let isAll = true
  for await (const { rows, isLast } of openingPages(call, { orgId: call.scope.orgId, sessionId })) {
    isAll = isLast
    for (const row of rows) {
      openings.add(row)
      oldest = row.at
    }
  }
  return { opened: openings.view(), openedSince: isAll || oldest === null ? null : iso(oldest) }
}

const tenths = (ms: number): number => Math.round(ms / 100) / 10

/**
 * For how much of the interview a device reported something, and for how much of that there is a recording, lane by lane;
 * what was not asked for is left out.
 */
export const readCoverage = async (call: Reads, sessionId: string) =>
  (await readLanes(call, sessionId)).coverage
    // Whom nobody asked has nothing to read of it: most interviews are in no room of ours.
    .filter(({ enabled, lane, account }) => enabled && (lane !== 'room_camera' || account.length > 0))
    .map(({ lane, declined, expected, observed, heldMs, gaps }) => ({
      lane,
      declined,
      expectedSeconds: expected,
      observedSeconds: observed,
      heldSeconds: hasRecording(lane) ? tenths(heldMs) : null,
      gaps: gaps.map(({ fromAt, toAt, reason }) => ({ fromAt, toAt, reason })),
    }))
