import * as z from 'zod'
import { deleted, id, instant, listOf, oneLine } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

/** Those whose webhooks tell of a stage, and beside whose candidates notes are written. */
export const stageProviders = ['greenhouse', 'lever', 'ashby', 'teamtailor'] as const
export type StageProvider = (typeof stageProviders)[number]
/** `greenhouse_assessment`: Greenhouse asks for interviews as for tests of an assessment partner, and calls here itself. */
export const atsProviders = [...stageProviders, 'greenhouse_assessment'] as const
export type AtsProvider = (typeof atsProviders)[number]

/** The largest message of each provider's webhook, bytes. Greenhouse sends the whole candidate with every field that was added. */
export const atsMessageBytes: { readonly [P in StageProvider]: number } = {
  greenhouse: 256 * 1024,
  lever: 64 * 1024,
  ashby: 64 * 1024,
  teamtailor: 64 * 1024,
}

/** What is written beside the candidate there: that a session was made, that it ended, that its report was signed. */
export const atsPushes = ['scheduled', 'ended', 'report'] as const
export type AtsPush = (typeof atsPushes)[number]

const secret = z.string().min(1).max(2000)
const signingToken = secret.optional().meta({
  description: 'where the provider makes the secret of its webhooks itself: that one, in place of `inboundSecret`',
})
/** By provider. None of it is ever shown again. */
export const atsCredentials = {
  greenhouse: z.object({
    clientId: secret,
    clientSecret: secret,
    userId: z
      .string()
      .regex(/^\d{1,18}$/)
      .meta({ description: 'number of the user as whom the service acts there' }),
  }),
  lever: z.object({ apiKey: secret, region: z.enum(['global', 'eu', 'sandbox']).default('global'), signingToken }),
  ashby: z.object({ apiKey: secret }),
  teamtailor: z.object({
    apiKey: secret,
    region: z.enum(['eu', 'na', 'ap']).default('eu'),
    userId: z
      .string()
      .regex(/^\d{1,18}$/)
      .meta({ description: 'number of the user as whom notes are written' }),
    signingToken,
  }),
  greenhouse_assessment: z.object({}).meta({ description: 'nothing: Greenhouse calls with the key that is made here' }),
} as const satisfies Record<AtsProvider, z.ZodObject>
export type AtsCredentials<P extends AtsProvider = AtsProvider> = { [K in P]: z.output<(typeof atsCredentials)[K]> }[P]

/** What a session is called by, for an organisation that keeps names elsewhere. */
export const atsLabels = ['name', 'application_id', 'none'] as const
export type AtsLabel = (typeof atsLabels)[number]

const maxMapped = 50
const mapping = {
  policies: z
    .array(z.object({ stage: oneLine(200), policyId: id('pol') }))
    .max(maxMapped)
    .meta({
      description:
        'which policy a session gets by the stage that was entered, named by its id or its name; the first that fits counts, and settings.policyId where none does',
    }),
  label: z.enum(atsLabels).meta({
    description:
      "what stands as the session's candidateLabel: the candidate's name, the provider's id of the application, or nothing",
  }),
}

const settings = {
  triggerStages: z
    .array(oneLine(200))
    .max(50)
    .meta({ description: 'ids or names of stages: a candidate who enters one gets a session' }),
  policyId: id('pol').nullable(),
  invite: z.boolean().meta({ description: 'invite the candidate by mail, where the provider knows their address' }),
  push: z.array(z.enum(atsPushes)).max(atsPushes.length),
  mapping: z.object(mapping),
}
const givenMapping = z.object({ policies: mapping.policies.default([]), label: mapping.label.default('name') })
export const atsSettings = z.object(settings).meta({ id: 'AtsSettings' })
const givenSettings = z.object({
  triggerStages: settings.triggerStages.default([]),
  policyId: settings.policyId.default(null),
  invite: settings.invite.default(true),
  push: settings.push.default(['scheduled', 'ended', 'report']),
  mapping: givenMapping.prefault({}),
})

const label = oneLine(100)
export const atsConnect = z.discriminatedUnion('provider', [
  z.object({
    provider: z.literal('greenhouse'),
    label,
    credentials: atsCredentials.greenhouse,
    settings: givenSettings.prefault({}),
  }),
  z.object({
    provider: z.literal('lever'),
    label,
    credentials: atsCredentials.lever,
    settings: givenSettings.prefault({}),
  }),
  z.object({
    provider: z.literal('ashby'),
    label,
    credentials: atsCredentials.ashby,
    settings: givenSettings.prefault({}),
  }),
  z.object({
    provider: z.literal('teamtailor'),
    label,
    credentials: atsCredentials.teamtailor,
    settings: givenSettings.prefault({}),
  }),
  z.object({
    provider: z.literal('greenhouse_assessment'),
    label,
    credentials: atsCredentials.greenhouse_assessment.prefault({}),
    settings: givenSettings.prefault({}),
  }),
])

export const atsChange = z.object({
  label: label.optional(),
  credentials: z.record(z.string().max(40), z.string().max(2000)).optional().meta({
    description: 'all of the provider, as when it was connected; a signing token that is left out stays',
  }),
  settings: z
    .object({
      triggerStages: settings.triggerStages.optional(),
      policyId: settings.policyId.optional(),
      invite: settings.invite.optional(),
      push: settings.push.optional(),
      mapping: z.object({ policies: mapping.policies.optional(), label: mapping.label.optional() }).optional(),
    })
    .optional()
    .meta({ description: 'what is named changes' }),
  status: z.enum(['connected', 'paused']).optional(),
  expectedVersion,
})

export const atsIntegration = z
  .object({
    id: id('ats'),
    provider: z.enum(atsProviders),
    label: z.string(),
    status: z.enum(['connected', 'paused', 'broken']).meta({
      description: 'broken: the provider refuses the credentials; `problem` says so, and new ones mend it',
    }),
    problem: z.string().nullable().meta({
      description:
        'what the provider said, or that it could not be asked, when it was tried last; null when that went well',
    }),
    settings: atsSettings,
    version: shownVersion('label, credentials and settings'),
    inboundUrl: z.string().meta({
      description:
        "where the provider's webhook sends to; of greenhouse_assessment, what its four addresses begin with",
    }),
    inboundSince: instant,
    connectedAt: instant,
  })
  .meta({ id: 'AtsIntegration' })
export const atsIntegrations = listOf(atsIntegration)

const inboundSecret = z.string().meta({
  description:
    "the secret of the provider's webhook, or of greenhouse_assessment the key it calls with; shown this once",
})
export const atsConnected = atsIntegration.extend({ inboundSecret }).meta({ id: 'AtsConnected' })
export const atsSecret = z.object({ id: id('ats'), inboundUrl: z.string(), inboundSecret }).meta({ id: 'AtsSecret' })

export const atsCapabilities = z
  .object({
    items: z.array(
      z.object({
        provider: z.enum(atsProviders),
        configured: z.boolean().meta({ description: 'an organisation of yours has connected it' }),
        credentials: z.array(z.string()).meta({ description: 'names of what has to be given' }),
        inbound: z.string().meta({ description: 'what to set up at the provider, in words' }),
        push: z.array(z.enum(atsPushes)),
      }),
    ),
  })
  .meta({ id: 'AtsCapabilities' })

export const atsTested = z
  .object({ ok: z.boolean(), problem: z.string().nullable().meta({ description: 'what the provider said, in words' }) })
  .meta({ id: 'AtsTested' })
export const atsRemoved = deleted

export const atsDirections = ['inbound', 'outbound'] as const
export const atsSyncStates = ['pending', 'done', 'ignored', 'failed'] as const
export const atsSync = z
  .object({
    id: id('syn'),
    direction: z.enum(atsDirections),
    what: z.enum(['stage_change', ...atsPushes, 'response_error']).meta({
      description: 'response_error: Greenhouse could not use an answer of ours, and says why',
    }),
    status: z.enum(atsSyncStates),
    applicationId: z.string().nullable().meta({ description: "the provider's id; null once the session was erased" }),
    sessionId: id('ses').nullable(),
    attempts: z.number().int().min(0),
    nextAttemptAt: instant.nullable(),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'why it failed, was ignored, or is not all that was wished for' }),
    replayOf: id('syn').optional(),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'AtsSync' })
export const atsSyncFilters = {
  status: z.enum(atsSyncStates).optional(),
  direction: z.enum(atsDirections).optional(),
}

export const atsTaken = z.object({ received: z.literal(true) })
