import {
  evidenceTypeNames,
  laneHealth,
  laneHealthStates,
  laneName,
  sessionConfig,
  sessionPhaseNames,
} from '@integrity/protocol'
import * as z from 'zod'
import { agentBrand } from './agent-brand.ts'
import { appointment, inviterFacts } from './invited-by.ts'

/** What the window can stand on. Which of them is shown is decided by the core alone. */
export const screens = [
  /** A join code is awaited. */
  'code',
  'consent',
  /** Agreed; the devices of the agreed lanes are tried. Nothing is kept or sent. */
  'check',
  /** This version is older than the service supports. */
  'update_required',
  ...sessionPhaseNames.filter((phase) => phase !== 'consenting'),
] as const

/** What went wrong, by name; the window has the words. `detail` is for the people who help, never the only text. */
export const problemCodes = [
  'code_malformed',
  /** Mistyped, used already, or expired: the service does not say which. */
  'code_not_valid',
  'too_many_attempts',
  'session_ended',
  'server_malformed',
  /** Only https, but for this computer itself. */
  'server_not_https',
  'server_unreachable',
  /** Something answered that is not this service, such as the login page of a network. */
  'not_the_service',
  /** The service's certificate is not one that it has announced. */
  'certificate_mismatch',
  'link_not_ours',
  'in_another_session',
  'consent_incomplete',
  'registration_refused',
  /** The service does not take this session's token any more. */
  'signed_out',
  'storage_unusable',
  'phone_not_wanted',
  'browser_not_opened',
  'unexpected',
] as const
export const problem = z.object({ code: z.enum(problemCodes), detail: z.string().optional() })
export type Problem = z.output<typeof problem>
export type ProblemCode = Problem['code']

const capabilityLine = z.object({
  observer: z.string(),
  status: z.enum(['observable', 'not_observable']),
  why: z.string().optional(),
})

const shownDocument = z.object({
  version: z.string(),
  locale: z.string(),
  hash: z.string(),
  retentionDays: z.number(),
  notice: z.array(z.string()).optional(),
  lanes: z.array(z.object({ lane: laneName, required: z.boolean(), title: z.string(), text: z.string() })),
})

const consentView = z.object({
  /** As the service made it; its hash is what is agreed to. */
  document: shownDocument,
  /** The policy the document was made of: intervals, what else is on. */
  config: sessionConfig,
  /** What differs from the document that was on the screen before; absent at first. */
  changes: z
    .array(
      z.object({
        what: z.enum(['lane_added', 'lane_removed', 'lane_text', 'lane_required', 'lane_optional', 'retention']),
        lane: laneName.optional(),
        title: z.string().optional(),
        before: z.string().optional(),
      }),
    )
    .optional(),
  capabilities: z.array(capabilityLine),
})

/** A device or display that a lane could use. */
const deviceChoice = z.object({ id: z.string(), label: z.string() })

const checkedLane = z.object({
  lane: laneName,
  /** `working`: samples came, whose content was looked at; what an operating system claims does not count. */
  state: z.enum(['trying', 'working', 'silent', 'denied', 'missing', 'failed', 'not_observable']),
  /** Which program records it. */
  driver: z.string().optional(),
  device: z.string().optional(),
  devices: z.array(deviceChoice),
  displays: z.array(deviceChoice.extend({ working: z.boolean() })),
  detail: z.string().optional(),
  /** The permission can be opened in the operating system's settings from here. */
  settings: z.boolean(),
  /** What the operating system permits may only hold after a restart of this program. */
  needsRestart: z.boolean(),
})

const recordedLane = z.object({
  lane: laneName,
  title: z.string(),
  /** From samples. `off`: by policy; `not_asked`: turned on by policy after the candidate was asked. */
  state: z.enum(['starting', ...laneHealthStates, 'paused', 'declined', 'withdrawn', 'off', 'not_asked']),
  reason: z.string().optional(),
  /** Epoch ms. */
  since: z.number().optional(),
  /** Epoch ms of the last thing observed. */
  lastSampleAt: z.number().optional(),
  displays: z.array(z.object({ id: z.string(), state: laneHealth, reason: z.string().optional() })),
  /** Items captured of this lane. */
  captured: z.number(),
  /** Seconds expected and observed so far; what the service is told. */
  coverage: z.object({ expectedSeconds: z.number(), observedSeconds: z.number() }).optional(),
  withdrawable: z.boolean(),
})

/** What the policy asks for since the recording runs; what was agreed before is recorded meanwhile. */
const askedLater = z.object({
  /** The whole document that is in force now, and the policy that it was made of. */
  document: shownDocument,
  config: sessionConfig,
  /** The lanes that are asked about, in the order of the document. */
  lanes: z.array(
    z.object({
      lane: laneName,
      /** What was said of it when it was agreed to: this much of it is recorded. Absent for a lane that is new. */
      before: z.string().optional(),
      /** Answered; the service is being told. */
      sending: z.boolean(),
    }),
  ),
})

const unsent = z.object({ items: z.number(), events: z.number(), bytes: z.number() })

const phoneView = z.object({
  state: z.enum(['not_wanted', 'none', 'asking', 'code', 'paired', 'interrupted', 'ended']),
  /** A code to type and the link that the QR picture holds; while `code`. */
  joinCode: z.string().optional(),
  url: z.string().optional(),
  /** The QR picture: rows of `0` and `1`, one for each module, with its quiet zone. */
  qr: z.array(z.string()).optional(),
  expiresAt: z.string().optional(),
  recording: z.enum(['off', 'on', 'interrupted']).optional(),
  /** 0 to 1. */
  battery: z.number().optional(),
  charging: z.boolean().optional(),
  lastSeenAt: z.string().optional(),
  placementConfirmed: z.boolean().optional(),
})

export const updateView = z.object({
  state: z.enum(['none', 'available', 'downloading', 'ready', 'below_minimum', 'refused']),
  version: z.string().optional(),
  minimum: z.string().optional(),
  receivedBytes: z.number().optional(),
  totalBytes: z.number().optional(),
  detail: z.string().optional(),
})

/** Everything the window shows, whole; sent again whenever some of it changes, at most a few times a second. */
export const windowState = z.object({
  screen: z.enum(screens),
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  /** How the key of the unsent items is kept; `basic` is said to the candidate. */
  keyProtection: z.enum(['os_key_store', 'basic']),
  locale: z.string(),
  problem: problem.optional(),
  /** The service's address; absent until one is known. */
  server: z.string().optional(),
  /** What came with a link, so that nothing has to be typed. */
  code: z.string().optional(),
  session: z
    .object({
      id: z.string(),
      orgName: z.string().optional(),
      /** An e-mail address or an https address for questions about data. */
      privacyContact: z.string().optional(),
      /** Of the organisation; its logo is asked for with `session.logo`. */
      brand: agentBrand.optional(),
      schedule: appointment.optional(),
      inviter: inviterFacts.optional(),
      /** The program of the video call to expect, or its place. */
      callIn: z.string().optional(),
      /** Where the candidate asks what is kept, without a secret; once it is over, where something can have been recorded. */
      requestsAddress: z.string().optional(),
    })
    .optional(),
  consent: consentView.optional(),
  check: z
    .object({ lanes: z.array(checkedLane), speakerTest: z.enum(['idle', 'playing', 'heard', 'not_heard']) })
    .optional(),
  recording: z
    .object({
      /** Epoch ms by this computer's clock. */
      startedAt: z.number(),
      pauseAllowed: z.boolean(),
      /** Where breaks were agreed: how many are left, how long each is, and when one that runs ends (epoch ms). */
      breaks: z.object({ left: z.number(), minutes: z.number(), endsAt: z.number().optional() }).optional(),
      lanes: z.array(recordedLane),
      /** What the operator's policy says is needed, as names of programs. */
      requiredApps: z.array(z.string()),
      asked: askedLater.optional(),
    })
    .optional(),
  network: z.object({
    state: z.enum(['unknown', 'online', 'offline', 'slowed']),
    /** Epoch ms of the last answer of the service. */
    lastAnswerAt: z.number().optional(),
    /** The service asked to wait, or the next try is then; epoch ms. */
    nextTryAt: z.number().optional(),
    live: z.boolean(),
  }),
  unsent,
  sent: z.object({
    items: z.number(),
    bytes: z.number(),
    /** The items by their type, and how many events; absent where they are not counted apart. */
    byType: z.partialRecord(z.enum(evidenceTypeNames), z.number()).optional(),
    events: z.number().optional(),
  }),
  /** Milliseconds this computer's clock is ahead of the service's, when that is known and matters (2 s). */
  clockAheadMs: z.number().optional(),
  phone: phoneView.optional(),
  update: updateView,
  /** Why it ended, once it has. */
  ended: z
    .object({
      by: z.enum(['candidate', 'service']),
      at: z.number(),
      /** The service has removed the session, and what was unsent was deleted here. */
      removed: z.boolean().optional(),
    })
    .optional(),
  /** Whether the organisation has been told of the no; `not_told`: the service does not take it any more. */
  refusal: z.enum(['sending', 'told', 'not_told']).optional(),
  /** What the spool had to say that the candidate should know: thinned, set aside, full. */
  notices: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['thinned', 'set_aside', 'storage_full', 'refused_items']),
      at: z.number(),
      items: z.number().optional(),
    }),
  ),
})
export type WindowState = z.output<typeof windowState>

/** A moment of what a lane sees or hears, while it is tried and while it records; kept nowhere. */
export const preview = z.object({
  lane: laneName,
  displayId: z.string().optional(),
  /** `data:image/jpeg;base64,…`, at most 320 pixels wide. */
  picture: z.string().max(200_000).optional(),
  /** dBFS; −120 is digital silence. */
  levelDb: z.number().optional(),
})
export type Preview = z.output<typeof preview>
