import { shownAids } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { observationPages } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { consentsWithDocuments } from '../../interviews/sessions/consent/device-consent.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { readWholeCoverage } from './coverage.service.ts'
import { type BesideReport, mostTimes, type PaperMoment } from './report.paper.model.ts'

const timesOf = async (call: Reads, sessionId: string): Promise<Record<string, number[]>> => {
  const times: Record<string, number[]> = {}
  for await (const page of observationPages(call, { sessionId, which: 'events' }))
    for (const { kind, observedAt } of page) {
      times[kind] ??= []
      times[kind].push(observedAt)
    }
  for (const [kind, all] of Object.entries(times)) times[kind] = all.sort((a, b) => a - b).slice(0, mostTimes)
  return times
}

const momentsOf = async (call: Reads & Needs<'clock'>, sessionId: string): Promise<PaperMoment[]> => {
  const moments: PaperMoment[] = []
  const { pages, baseRateOf } = await readWholeCoverage(call, sessionId)
  for await (const page of pages)
    for (const { at, untilAt, rule, lanes, reading } of page) {
      const reason = typeof reading['reason'] === 'string' ? reading['reason'] : null
      moments.push({ at, untilAt, rule, lanes, reason, baseRate: baseRateOf(rule) })
    }
  return moments
}

/** What a report on paper says beside its signed text. Throws `not_found` for a foreign session. */
export const readBesideReport = async (call: Reads & Needs<'clock'>, sessionId: string): Promise<BesideReport> => {
  const { candidateLabel, schedule, config } = await getSession(call, sessionId)
  const consents = (await consentsWithDocuments(call, sessionId)).map(({ lanes, ...consent }) => ({
    ...consent,
    lanes: Object.keys(JSON.parse(lanes) as object),
  }))
  return {
    candidateLabel,
    schedule,
    consents,
    moments: await momentsOf(call, sessionId),
    aids: shownAids(config),
    times: await timesOf(call, sessionId),
  }
}
