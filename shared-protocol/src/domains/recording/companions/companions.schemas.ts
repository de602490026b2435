import * as z from 'zod'
import { clientId, id, instant, sha256Hex } from '../../../core/primitives.ts'
import { evidenceTypes } from '../../interviews/lanes/lanes.evidence.ts'
import { sideViewConfig } from '../../interviews/sessions/sessions.config.ts'
import {
  answerLocale,
  consentDocument,
  device,
  inviter,
  joinedSession,
  orgBrand,
  sessionState,
  wantedLocale,
} from '../../interviews/sessions/sessions.schemas.ts'

/** How often a phone says that it is there, and after how many missed times it counts as interrupted. */
export const presenceIntervalSeconds = 10
export const presenceMissedIntervals = 3
/** Largest live preview still; it is shown and never stored. */
export const maxPreviewBytes = 512 * 1024

export const placementSteps = ['height', 'angle', 'screen_visible', 'hands_visible'] as const

export const companionConfig = z.object({
  sideView: sideViewConfig,
  presenceIntervalSeconds: z.number().int(),
})

export const claimBody = z.object({ device: device.optional(), locale: wantedLocale })
export const claimed = z
  .object({
    companionId: id('cpn'),
    companionToken: z.string(),
    expiresAt: instant.meta({ description: 'at the latest; 24 h after the session has ended if that is sooner' }),
    session: joinedSession,
    org: orgBrand,
    inviter,
    config: companionConfig,
    consentDocument,
  })
  .meta({ id: 'Claimed' })

/** The answer of a device that asks for one lane of its own. */
export const deviceConsentBody = z.object({
  version: z.string().max(50),
  locale: answerLocale,
  documentHash: sha256Hex,
  accepted: z.boolean().meta({ description: 'false records that the candidate declined' }),
  acceptedAt: instant.meta({ description: 'when the answer was given' }),
})

export const recordingState = z.enum(['off', 'on', 'interrupted'])
export const beat = z.object({
  clientId,
  at: instant,
  battery: z.number().min(0).max(1).nullish(),
  charging: z.boolean().nullish(),
  network: z.string().max(20).nullish(),
  orientation: z.string().max(20).nullish(),
  foreground: z.boolean().nullish(),
  recording: recordingState,
  reason: z.string().max(50).nullish().meta({ description: 'why it is interrupted, in one word of the client' }),
})
export const presenceBody = z.object({ beats: z.array(beat).min(1).max(500) })
export const presenceAnswer = z.object({
  accepted: z.number().int(),
  duplicates: z.number().int(),
  ignored: z.number().int().meta({ description: 'beats from after the end of the session' }),
  session: z.object({ state: sessionState }),
  config: companionConfig,
})

export const placementBody = z.object({
  steps: z
    .array(z.object({ step: z.enum(placementSteps), confirmed: z.boolean() }))
    .length(placementSteps.length)
    .refine(
      (steps) => new Set(steps.map(({ step }) => step)).size === placementSteps.length,
      'must name each step once',
    )
    .meta({ description: 'every step once; one that the candidate cannot do is sent as not confirmed' }),
  photo: z.object({
    clientId: clientId.optional(),
    capturedAt: instant.optional(),
    contentType: z.enum(evidenceTypes.placement_photo.contentTypes),
    sha256: sha256Hex,
    data: z.string().meta({ description: 'the picture, base64' }),
  }),
})
export const previewBody = z.object({
  capturedAt: instant,
  contentType: z.enum(['image/jpeg', 'image/webp', 'image/png']),
  data: z.string().meta({ description: `the picture, base64; at most ${maxPreviewBytes} bytes` }),
})

/** What the side view is doing, for the agent and the phone itself. */
export const companionStatus = z
  .object({
    sessionId: id('ses'),
    paired: z.boolean(),
    companionId: id('cpn').nullable(),
    pairedAt: instant.nullable(),
    device: device.nullable(),
    consent: z.enum(['pending', 'granted', 'declined']),
    placement: z.object({
      confirmedAt: instant.nullable(),
      steps: z.array(z.object({ step: z.enum(placementSteps), confirmed: z.boolean() })),
      photoEvidenceId: id('evd').nullable(),
    }),
    recording: recordingState,
    interruptedSince: instant.nullable(),
    lastBeatAt: instant.nullable(),
    lastContactAt: instant.nullable(),
    battery: z.number().nullable(),
    charging: z.boolean().nullable(),
    network: z.string().nullable(),
    orientation: z.string().nullable(),
    foreground: z.boolean().nullable(),
    config: companionConfig,
  })
  .meta({ id: 'CompanionStatus' })
export const companionStatusWithDocument = companionStatus.extend({
  consentDocument: consentDocument.optional().meta({
    description: 'what the phone asks consent for, in the language of `locale`; absent where no language was asked for',
  }),
})
