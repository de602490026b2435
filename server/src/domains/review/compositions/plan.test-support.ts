import {
  type EvidenceType,
  evidenceTypes,
  laneNames,
  type SessionConfigPatch,
  sessionConfig,
} from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { buildSession, consentTo, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { mergeConfig } from '../../interviews/sessions/sessions.config.service.ts'
import { accountOf } from '../reports/account.model.ts'
import type { AccountInput, SourceAccount } from '../reports/account.types.ts'
import type { PlanEvent } from './plan.displays.model.ts'
import { type PlanFacts, planFilm } from './plan.model.ts'
import type { PlanInput } from './plan.tracks.model.ts'

const second = 1000

let made = 0
/** Captured so many seconds after the start of the session. */
export const buildInput = (evidenceType: EvidenceType, at: number, overrides: Partial<PlanInput> = {}): PlanInput => {
  made += 1
  const still = evidenceType === 'screenshot' || evidenceType === 'camera_frame'
  return {
    id: `evd_${made}`,
    evidenceType,
    sha256: 'a'.repeat(64),
    contentType: evidenceType === 'audio_chunk' ? 'audio/ogg' : still ? 'image/webp' : 'video/webm',
    sizeBytes: 100,
    capturedAt: startedAt + at * second,
    durationMs: still ? null : 10 * second,
    source: evidenceTypes[evidenceType].lane,
    ...overrides,
  }
}

/** Of a display. */
export const on = (displayId: string) => ({ source: `screen:${displayId}` as const })

export const gap = (
  lane: LaneGap['lane'],
  [from, to]: readonly [number, number],
  reason: LaneGap['reason'],
  displayId = '',
): LaneGap => ({ lane, displayId, fromAt: startedAt + from * second, toAt: startedAt + to * second, reason })

/** A lane that says itself what it observed. */
export const observed = (lane: LaneWindow['lane'], to: number, from = 0, displayId = ''): LaneWindow => ({
  lane,
  displayId,
  fromAt: startedAt + from * second,
  toAt: startedAt + to * second,
  expectedSeconds: to - from,
  observedSeconds: to - from,
})

export const event = (kind: string, at: number, data: PlanEvent['data'] = {}): PlanEvent => ({
  kind,
  observedAt: startedAt + at * second,
  data,
})

export interface Overrides
  extends Partial<Pick<PlanFacts, 'inputs' | 'events' | 'atStart' | 'moments' | 'speech' | 'open'>> {
  readonly seconds?: number
  readonly config?: SessionConfigPatch
  readonly declined?: readonly string[]
  /** The room's camera and the phone, both agreed to; the phone says every few seconds that it records. */
  readonly others?: boolean
  readonly gaps?: readonly LaneGap[]
  readonly windows?: readonly LaneWindow[]
}

const sessionOf = ({ seconds = 300, config = {}, declined = [], others = false }: Overrides) => {
  const consent = consentTo(...laneNames.filter((lane) => others || (lane !== 'side_view' && lane !== 'room_camera')))
  const answers = Object.entries(consent.lanes).map(([lane, given]) => [
    lane,
    { ...given, granted: !declined.includes(lane) },
  ])
  return buildSession({
    state: 'ended',
    endedAt: startedAt + seconds * second,
    config: mergeConfig(sessionConfig.parse({}), {
      camera: { enabled: true },
      sideView: { enabled: others },
      ...config,
    }),
    consent: { ...consent, lanes: Object.fromEntries(answers) },
  })
}

const phoneOf = (seconds: number) => ({
  pairedAt: startedAt,
  endedAt: null,
  beats: Array.from({ length: Math.ceil(seconds / 5) + 1 }, (_, n) => ({
    at: startedAt + n * 5 * second,
    recording: 'on',
    reason: null,
    orientation: null,
  })),
})

export const accountsOf = (overrides: Overrides): SourceAccount[] => {
  const { seconds = 300, inputs = [], gaps = [] } = overrides
  const windows = overrides.windows ?? [observed('screen', seconds), observed('camera', seconds)]
  const phones = overrides.others ? [phoneOf(seconds)] : []
  const sideView = { phones, answers: [{ granted: true, at: startedAt }] } as AccountInput['sideView']
  return accountOf({
    session: sessionOf(overrides),
    windows,
    gaps,
    objects: inputs,
    sideView,
  })
}

/** Of a session of five minutes in which screen and camera say that they observed everything, unless it says otherwise. */
export const planOf = (overrides: Overrides = {}) => {
  const { inputs = [], events = [], atStart = [], moments = [], speech = [], open = async function* () {} } = overrides
  const facts = { inputs, events, atStart, moments, speech, open }
  return planFilm({ session: sessionOf(overrides), accounts: accountsOf(overrides), ...facts })
}
