import { presenceIntervalSeconds, type SessionConfig } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { CompanionRow } from './companions.store.ts'

export const companionConfig = (config: SessionConfig) => ({ sideView: config.sideView, presenceIntervalSeconds })

type WithPhone = Pick<SessionRow, 'id' | 'config' | 'consent'>

const consentOf = (session: WithPhone): 'pending' | 'granted' | 'declined' => {
  const given = session.consent?.lanes.side_view
  if (!given) return 'pending'
  return given.granted && given.withdrawnAt === null ? 'granted' : 'declined'
}

/** What the side view is doing. A phone that was let go counts as none. */
export const companionView = (session: WithPhone, companion: CompanionRow | undefined) => {
  const there = companion?.endedAt === null ? companion : undefined
  const beat = there?.lastBeat
  return {
    sessionId: session.id,
    paired: there !== undefined,
    companionId: there?.id ?? null,
    pairedAt: there ? iso(there.pairedAt) : null,
    device: there?.device ?? null,
    consent: consentOf(session),
    placement: {
      confirmedAt: isoOrNull(there?.placedAt ?? null),
      steps: there?.steps ?? [],
      photoEvidenceId: there?.photoEvidenceId ?? null,
    },
    recording: there?.recording ?? 'off',
    interruptedSince: isoOrNull(there?.interruptedAt ?? null),
    lastBeatAt: isoOrNull(there?.lastBeatAt ?? null),
    lastContactAt: isoOrNull(there?.lastContactAt ?? null),
    battery: beat?.battery ?? null,
    charging: beat?.charging ?? null,
    network: beat?.network ?? null,
    orientation: beat?.orientation ?? null,
    foreground: beat?.foreground ?? null,
    config: companionConfig(session.config),
  }
}
