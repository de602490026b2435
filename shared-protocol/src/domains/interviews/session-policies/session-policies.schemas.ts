import * as z from 'zod'
import { id, instant, oneLine, paging } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'
import { sessionConfig, sessionConfigPatch } from '../sessions/sessions.config.ts'

/** Policies that are not archived, for each organisation. */
export const maxActivePolicies = 200
/** Versions of one policy; whoever needs more goes on in a duplicate. */
export const maxPolicyVersions = 100
const maxName = 100

/** `archived`: not offered and not accepted for a new session; its versions stay readable. */
export const policyStates = ['active', 'archived'] as const
const policyState = z.enum(policyStates)

/** The name of a copy that was given none. */
export const nameOfCopy = (name: string): string => `${name.slice(0, maxName - ' (copy)'.length).trimEnd()} (copy)`

const author = z
  .object({ kind: z.string(), id: z.string(), label: z.string().nullable() })
  .meta({ description: 'who wrote it; `label` is their address then' })

const name = oneLine(maxName)
const description = z
  .string()
  .trim()
  .max(2000)
  .regex(/^[^\p{Bidi_C}]*$/u, 'must be without characters that control its direction')
  .nullable()

/** A version is complete: what a body leaves out is as by default, not as in the version before. */
const written = sessionConfigPatch.meta({ description: 'what it leaves out is as by default' })

export const policyVersion = z
  .object({ version: z.number().int().min(1), config: sessionConfig, createdAt: instant, createdBy: author })
  .meta({ id: 'SessionPolicyVersion' })

export const sessionPolicy = z
  .object({
    id: id('pol'),
    name: z.string(),
    description: z.string().nullable(),
    state: policyState,
    version: z.number().int().min(1).meta({ description: 'the latest, which new sessions are made with' }),
    nameVersion: shownVersion('name and description'),
    config: sessionConfig.meta({ description: 'of the latest version, complete' }),
    createdAt: instant,
    createdBy: author,
    updatedAt: instant.meta({ description: 'time of the last change: name, description, new version or archiving' }),
    archivedAt: instant.nullable(),
  })
  .meta({ id: 'SessionPolicy' })
export const sessionPolicyDetail = sessionPolicy
  .extend({ versions: z.array(policyVersion).meta({ description: 'newest first' }) })
  .meta({ id: 'SessionPolicyDetail' })

export const policyListQuery = z.object({ ...paging, state: z.enum([...policyStates, 'all']).default('active') })
export const policyCreate = z.object({ name, description: description.optional(), config: written })
export const policyPatch = z.object({
  name: name.optional(),
  description: description.optional(),
  expectedVersion: expectedVersion.meta({
    description:
      'the `nameVersion` that the writer has seen; where somebody else has changed name or description since, it is refused as a conflict whose `reason` is `changed`',
  }),
})
export const policyVersionCreate = z.object({
  config: written,
  expectedVersion,
})
export const policyDuplicate = z.object({ name: name.optional() })
export const policyArchive = z.object({ reason: oneLine(500).optional() })
