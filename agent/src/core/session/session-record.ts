import { consentDocument, laneName, sessionConfig, sessionPhaseNames } from '@integrity/protocol'
import * as z from 'zod'
import { agentBrand } from '../../shared/ipc/agent-brand.ts'
import { appointment, inviterFacts } from '../../shared/ipc/invited-by.ts'

/**
 * What a restarted agent needs to go on with the same session; sealed on disk, as it holds the token.
 * Times are epoch milliseconds.
 */
export const sessionRecord = z.object({
  server: z.string(),
  token: z.string(),
  sessionId: z.string(),
  /** When the interview takes place, and who invited to it; the record of an older agent has neither. */
  schedule: appointment.optional(),
  inviter: inviterFacts.optional(),
  orgName: z.string().optional(),
  privacyContact: z.string().optional(),
  brand: agentBrand.optional(),
  document: consentDocument,
  acceptedAt: z.number().optional(),
  registeredAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** How far the computer's clock was ahead of the service's, ms. */
  clockAheadMs: z.number().optional(),
  state: z.object({
    phase: z.enum(sessionPhaseNames),
    config: sessionConfig.optional(),
    policyVersion: z.number(),
    callIn: z.string().optional(),
    answers: z.partialRecord(laneName, z.boolean()),
    agreed: sessionConfig.optional(),
    declinedLater: z.partialRecord(laneName, z.string()).default({}),
    breaks: z.object({ taken: z.number(), endsAt: z.number().optional() }).optional(),
    comingBackTo: z.enum(['recording', 'paused']).optional(),
    endReason: z.string().optional(),
    endKnown: z.boolean(),
    failure: z.string().optional(),
  }),
})
export type SessionRecord = z.output<typeof sessionRecord>
