import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'
import { laneName } from '../../interviews/lanes/lanes.registry.ts'
import { evidenceType } from '../../recording/evidence/evidence.schemas.ts'

const count = z.number().int().min(0)
const words = z.string()

export const destinationKinds = ['storage', 'webhook', 'ats', 'chat', 'mail', 'payment'] as const

export const dataProcessing = z
  .object({
    generatedAt: instant,
    lanes: z
      .array(
        z.object({
          lane: laneName,
          title: words,
          whatIsCollected: words.meta({ description: 'as its candidates read it, under the policy by default' }),
          whereAskedFor: z.array(words).meta({ description: 'what else a policy may ask for, as candidates read it' }),
          evidenceTypes: z.array(evidenceType),
          defaultOn: z.boolean(),
          mayDecline: z.boolean().meta({ description: 'under the policy by default' }),
        }),
      )
      .meta({ description: 'all that can be collected about a candidate; nothing is without their consent' }),
    readers: z
      .array(
        z.object({
          role: z.string().meta({ description: 'a built-in role, or the name of a custom one' }),
          roleId: id('rol').nullable(),
          members: count.meta({ description: 'active members' }),
        }),
      )
      .meta({ description: 'the roles that may open evidence' }),
    apiKeys: count.meta({ description: 'keys that may read evidence' }),
    ownRecipients: z.array(z.object({ label: words, since: instant })).meta({
      description: 'keys of its own that the organisation has new evidence sealed to, beside that of the service',
    }),
    destinations: z.array(
      z.object({
        kind: z.enum(destinationKinds),
        name: z.string(),
        region: z.string().optional(),
        host: z.string().optional(),
      }),
    ),
    retention: z.object({
      days: count.meta({ description: 'for a session that names no days' }),
      longestDays: count.meta({ description: 'no session is kept longer, whatever it names' }),
      cappedBy: z.literal('plan').optional(),
      holds: count.meta({ description: 'legal holds that are on, that of the whole organisation included' }),
    }),
    automatedDecisions: z.literal(false),
  })
  .meta({ id: 'DataProcessing' })

export const statementSections = [
  'organisation',
  'collected',
  'readers',
  'destinations',
  'kept',
  'aids',
  'candidates',
  'interviewers',
  'decisions',
  'promises',
] as const
export type StatementSection = (typeof statementSections)[number]

export const statementQuery = z.object({
  locale: z
    .string()
    .max(35)
    .default('en')
    .meta({ description: 'language of the sentences, BCP 47; English for any other' }),
})

export const statement = z
  .object({
    format: z.literal('statement/1'),
    organisation: z.object({ id: id('org'), name: words }),
    number: z.number().int().min(0).meta({ description: 'one more with each change of the configuration' }),
    changedAt: instant.nullable().meta({ description: 'when the newest change was found' }),
    locale: z.string(),
    sentences: z.array(
      z.object({
        section: z.enum(statementSections),
        text: words,
        heldBy: z.object({
          name: words.meta({
            description: 'a setting, or a promise by its first words in SECURITY.md, in the language of the sentence',
          }),
          file: words.meta({ description: 'in the source of the service' }),
          test: words.meta({ description: 'its title: it fails where the sentence is not so' }),
        }),
      }),
    ),
  })
  .meta({ id: 'OrganisationStatement' })
