import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'

interface MeetingProvider {
  /** The program that a candidate needs, or the page that they open; null where nobody can know it. */
  readonly app: string | null
  /** Its meetings are held on these hosts and on those below them; none: anywhere. */
  readonly hosts: readonly string[]
}

/** Who holds the video call beside a session. */
export const meetingProviders = {
  zoom: { app: 'Zoom', hosts: ['zoom.us', 'zoom.com', 'zoomgov.com'] },
  teams: {
    app: 'Microsoft Teams',
    hosts: ['teams.microsoft.com', 'teams.live.com', 'teams.cloud.microsoft', 'teams.microsoft.us'],
  },
  meet: { app: 'Google Meet', hosts: ['meet.google.com'] },
  webex: { app: 'Webex', hosts: ['webex.com', 'webexgov.us'] },
  other: { app: null, hosts: [] },
} as const satisfies Record<string, MeetingProvider>
export type MeetingProviderName = keyof typeof meetingProviders
const providerNames = Object.keys(meetingProviders) as [MeetingProviderName, ...MeetingProviderName[]]

export const meetingInput = z.object({
  provider: z.enum(providerNames),
  url: z
    .string()
    .max(2000)
    // Browsers read a backslash as a slash.
    .regex(/^https:\/\/[^\s\\]+$/, 'must be an https address')
    .meta({ description: "without a user name or password, on a host of the provider's; `other` takes any host" }),
  startsAt: instant.optional(),
})

export const meeting = z
  .object({
    provider: z.string(),
    url: z.string(),
    label: z.string().nullable().meta({ description: "the provider's name, or the host of another one" }),
    startsAt: instant.nullable(),
    expectedApp: z.string().nullable().meta({
      description: 'the app of the call, which the agent gets in addition to `requiredApps`; null if it is unknown',
    }),
  })
  .meta({ id: 'Meeting' })
export type Meeting = z.output<typeof meeting>
