import * as z from 'zod'
import { periodOf } from '../../../core/period.ts'
import { freeObject, id, instant, oneLine, sha256Hex } from '../../../core/primitives.ts'
import { captureEnd, captureKeyRegistration } from '../capture-keys/capture-keys.schemas.ts'
import { evidenceTypeNames } from '../lanes/lanes.evidence.ts'
import { laneName } from '../lanes/lanes.registry.ts'
import { shownAid } from './sessions.aids.ts'
import { sessionConfig, sessionConfigPatch } from './sessions.config.ts'
import { meeting } from './sessions.meeting.ts'

export const sessionStates = ['scheduled', 'live', 'ended'] as const
export type SessionState = (typeof sessionStates)[number]
export const sessionState = z.enum(sessionStates)
/** The field that holds the time at which a session entered a state. */
export const stateInstants = { scheduled: 'createdAt', live: 'startedAt', ended: 'endedAt' } as const

export const laneConsent = z.object({ granted: z.boolean(), at: instant, withdrawnAt: instant.nullable() })
export const consentSummary = z
  .object({
    status: z
      .enum(['pending', 'granted', 'partial', 'declined'])
      .meta({ description: 'partial: a lane was declined or withdrawn; declined: every lane that was asked for' }),
    version: z.string().optional(),
    locale: z.string().optional(),
    documentHash: sha256Hex.optional(),
    acceptedAt: instant.optional(),
    lanes: z.partialRecord(laneName, laneConsent),
    evidenceTypes: z.array(z.enum(evidenceTypeNames)).optional().meta({
      description:
        'what the candidate was told could be collected; what a later policy adds is refused until asked for',
    }),
  })
  .meta({ id: 'ConsentSummary' })

export const schedule = z.object({ startsAt: instant, durationMinutes: z.number().int(), timeZone: z.string() })

const timeZone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
    } catch {
      return false
    }
  }, 'must be an IANA time zone such as Europe/Berlin')

export const session = z
  .object({
    id: id('ses'),
    state: sessionState,
    externalId: z.string().nullable(),
    candidateLabel: z.string().nullable(),
    config: sessionConfig,
    eventCount: z.number().int(),
    sandbox: z.boolean(),
    policyVersion: z.number().int().meta({
      description:
        'begins with the version of its policy, or with 1, and is one more after each change of config or meeting',
    }),
    policyId: id('pol').nullable().meta({ description: 'the integrity policy that it was made with' }),
    policy: z
      .object({ id: id('pol'), version: z.number().int() })
      .nullable()
      .meta({ description: 'the version that it was made with; `config` began as its copy' }),
    consent: consentSummary,
    aids: z.array(shownAid).meta({ description: 'what the candidate declared, and what became of it' }),
    legalHold: z.boolean(),
    provisionedBy: z.object({ kind: z.string(), id: z.string(), label: z.string().nullable() }),
    meeting: meeting.nullable(),
    schedule: schedule.nullable(),
    endReason: z.string().nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
    erasedAt: instant.nullable(),
  })
  .meta({ id: 'Session' })

/** When an interview is to take place, as people say it. */
export const scheduleInput = z.object({
  startsAt: instant,
  durationMinutes: z.number().int().min(5).max(1440),
  timeZone,
})

export const sessionCreate = z.object({
  externalId: oneLine(200).optional().meta({ description: "the integrator's own handle, such as a requisition" }),
  candidateLabel: oneLine(200).optional().meta({ description: 'how the candidate is shown to people' }),
  config: sessionConfigPatch.optional(),
  policyId: id('pol')
    .optional()
    .meta({ description: 'an active integrity policy; what `config` names goes on top of its latest version' }),
  schedule: scheduleInput.optional(),
})
export const sessionCreated = session
  .extend({ agentJoinToken: z.string(), agentJoinTokenExpiresAt: instant })
  .meta({ id: 'SessionCreated' })

export const sessionListFilters = {
  state: sessionState.optional(),
  ...periodOf('createdAt'),
  provisionedBy: z
    .string()
    .max(64)
    .regex(/^(key|usr)_[\w-]+$/, 'must be the id of a key or a person, which begins with key_ or usr_')
    .optional()
    .meta({ description: 'id of the key or the person that provisioned it' }),
  externalId: oneLine(200).optional().meta({ description: 'the `externalId` of the sessions' }),
  sandbox: z.enum(['true', 'false']).optional().meta({
    description: "narrows within the caller's own environment; the other one's sessions are never listed",
  }),
}

export const endBody = z.object({ reason: oneLine(100).optional() })
export const eraseResult = z.object({
  sessionId: id('ses'),
  erasedAt: instant.meta({
    description:
      'when what was captured and all words about the candidate went. Kinds, times, counts, the consent, `externalId` and what was written about an erasure itself stay; audit rows stay without what was said in them',
  }),
  erasedObjects: z.number().int(),
  erasedBytes: z.number().int(),
})
export const joinLinkBody = z.object({ role: z.enum(['candidate', 'companion']) })
export const joinLink = z.object({
  joinCode: z.string().meta({ description: 'single use, shown as ABCD-EFGH' }),
  expiresAt: instant,
  role: z.enum(['candidate', 'companion']),
  url: z.string(),
})
export const roomDeviceBody = z.object({ label: oneLine(100).optional() })
export const roomDevice = z.object({ id: id('rmd'), roomToken: z.string(), url: z.string(), expiresAt: instant })

export const device = z.object({
  name: z.string().max(200).optional(),
  platform: z.string().max(50).optional(),
  osVersion: z.string().max(100).optional(),
  appVersion: z.string().max(50).optional(),
  timeZone: z.string().max(64).optional(),
})
/** Of the words that say why something cannot be observed, in characters. */
export const maxCapabilityWhy = 500
export const capability = z.object({
  observer: z.string().max(100),
  status: z.enum(['observable', 'not_observable']),
  why: z.string().max(maxCapabilityWhy).optional(),
})
/** What the operating system says of a permission that a lane needs. */
export const permissionStates = ['granted', 'denied', 'unknown'] as const
export type PermissionState = (typeof permissionStates)[number]
export const permissionState = z.enum(permissionStates)

export const answerLocale = z.string().max(35).meta({
  description:
    'language the candidate is spoken to in, BCP 47; recorded is that of the document with `documentHash`, and a conflict hands out the document in this one',
})
export const consentLane = z.object({ lane: laneName, required: z.boolean(), title: z.string(), text: z.string() })
/**
 * What the candidate is shown, made from the lane registry and the session's config in the language of `locale`;
 * `hash` covers all of it. The document of each language has a hash of its own, and consent to any of them counts.
 */
export const consentDocument = z
  .object({
    version: z.string(),
    locale: z.string(),
    hash: sha256Hex,
    retentionDays: z.number().int(),
    lanes: z.array(consentLane),
    aids: z.array(shownAid).default([]).meta({ description: 'what the candidate declared' }),
    notice: z.array(z.string()).optional().meta({
      description:
        'what the organisation says of the controller, the lawful basis, the contact and the alternative, as sentences',
    }),
  })
  .meta({ id: 'ConsentDocument' })

/** In which language a consent document is wanted. */
export const wantedLocale = z.string().max(35).optional().meta({
  description:
    'language of the consent document, BCP 47: `hi-IN` gives `hi`, a language that it is not written in gives `en`',
})
export const documentQuery = z.object({ locale: wantedLocale })

export const joinBody = z.object({
  joinCode: z.string().min(1).max(40),
  device: device.optional(),
  locale: wantedLocale,
})
/** Who asks, as candidates see it. What is not there looks as the product does. */
export const orgBrand = z.object({
  name: z.string(),
  brand: freeObject.extend({
    primaryColor: z.string().optional().meta({
      description: '`#rgb` or `#rrggbb`; a page moves it towards black or white until it can be read',
    }),
    logoUrl: z.string().optional().meta({
      description: 'an address of this service, or a PNG, JPEG or WebP picture as a `data:` URL; no other is shown',
    }),
    privacyContact: z.string().optional().meta({
      description: 'whom to ask about data: an e-mail address or an https address',
    }),
  }),
})
/** Whom the candidate can ask; what is told of the session says when it takes place. */
export const inviter = z
  .object({
    name: z.string().nullable(),
    replyTo: z.string().meta({ description: 'where the invitation could be answered to' }),
  })
  .nullable()
  .meta({ description: 'the inviting member; null if nobody was invited by a person who is still a member' })
/** A session as its candidate is told of it by a device. */
export const joinedSession = z.object({
  id: id('ses'),
  state: sessionState,
  candidateLabel: z.string().nullable(),
  schedule: schedule.nullable(),
})
export const joined = z.object({
  sessionToken: z.string(),
  expiresAt: instant.meta({ description: 'at the latest; 24 h after the session has ended if that is sooner' }),
  session: joinedSession,
  org: orgBrand,
  inviter,
  config: sessionConfig,
  meeting: meeting.nullable(),
  consentDocument,
})

export const registerBody = z.object({
  consent: z.object({
    version: z.string().max(50),
    locale: answerLocale,
    documentHash: sha256Hex,
    acceptedAt: instant,
    lanes: z.partialRecord(laneName, z.boolean()),
    standing: z.array(laneName).max(20).optional().meta({
      description:
        'in a running session: lanes whose earlier answer stands as it is, with the extent it was given for. A lane that is named neither here nor in `lanes` was not answered yet; one that is named in both was asked for more and declined. With it nothing is required',
    }),
  }),
  device: device.optional(),
  permissions: z.record(z.string().max(50), permissionState).optional(),
  capabilities: z.array(capability).max(100).optional(),
  captureKey: captureKeyRegistration
    .optional()
    .meta({ description: 'what this machine signs its items of this session with' }),
})
/** A no to the whole document: whatever it asks for, nothing of it is given. */
export const declineConsentBody = z.object({
  version: z.string().max(50),
  locale: answerLocale,
  documentHash: sha256Hex,
  declinedAt: instant,
})
export const liveState = z.object({
  registeredAt: instant.nullable(),
  lastContactAt: instant.nullable(),
  device: device.nullable(),
  permissions: z.record(z.string(), permissionState),
  capabilities: z.array(capability),
})
export const sessionDetail = session.extend({ live: liveState }).meta({ id: 'SessionDetail' })

export const agentConfig = z.object({
  policyVersion: z.number().int(),
  state: sessionState,
  config: sessionConfig,
  meeting: meeting.nullable(),
  consentDocument,
  org: orgBrand,
  serverTime: instant,
})
export const agentEndBody = z.object({
  captureEnd: captureEnd.optional(),
  endedAt: instant.optional(),
  reason: z.string().trim().min(1).max(100).optional(),
})
