import type { BrandPreview } from '@integrity/shared-ui/session/brand-preview'
import type { InvitationFacts } from '../../session/invitation-api.ts'
import type { RoomFacts } from '../../session/room.types.ts'

const session = 'ses_00000000000000000000000000'
const weekMs = 7 * 24 * 3_600_000
const hourMs = 3_600_000

/** The next full hour in a week. */
const schedule = () => ({
  startsAt: new Date(Math.ceil((Date.now() + weekMs) / hourMs) * hourMs).toISOString(),
  durationMinutes: 45,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

const orgOf = ({ org }: BrandPreview) => org as RoomFacts['org']

/** An invitation as the service says one, of an interview that there is not. */
export const sampleInvitation = (shown: BrandPreview): InvitationFacts => ({
  invitation: {
    id: 'ivn_00000000000000000000000000',
    name: null,
    locale: shown.language,
    invitedBy: null,
    expiresAt: new Date(Date.now() + 2 * weekMs).toISOString(),
  },
  org: orgOf(shown),
  session: { id: session, candidateLabel: null, state: 'scheduled', startedAt: null },
  appointment: schedule(),
  appointmentChangedAt: null,
  cancelledAppointment: null,
  cancelledAt: null,
  consentDocument: shown.document,
  aids: { offered: [], breaks: null },
  downloads: [],
})

/** What a room is told of such an interview: it asks for pictures of the camera alone. */
export const sampleRoom = (shown: BrandPreview): RoomFacts => ({
  session: { id: session, state: 'scheduled', candidateLabel: null, schedule: schedule() },
  org: orgOf(shown),
  inviter: null,
  config: {
    camera: { enabled: true, stills: true, stillIntervalSeconds: 15, clips: false, clipSeconds: 10 },
  },
  consentDocument: { ...shown.document, lanes: shown.document.lanes.filter(({ lane }) => lane === 'camera') },
  consent: null,
  device: { id: 'rmd_00000000000000000000000000', label: null },
})
