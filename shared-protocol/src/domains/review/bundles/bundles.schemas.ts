import * as z from 'zod'
import { wordsOf } from '../../../core/query-words.ts'
import { evidenceTypeNames } from '../../interviews/lanes/lanes.evidence.ts'
import { ageRecipientPattern } from '../../organisation/recipients/recipients.schemas.ts'

const maxRecipients = 20

export const bundleQuery = z.object({
  evidence: wordsOf(evidenceTypeNames, { most: evidenceTypeNames.length, also: ['none'] })
    .optional()
    .meta({
      description: 'types of evidence to take along, with commas between them; `none`, or all where nothing is said',
    }),
  recipients: z
    .string()
    .max(1400)
    .refine(
      (text) =>
        text.split(',').length <= maxRecipients && text.split(',').every((one) => ageRecipientPattern.test(one)),
      'must be 1 to 20 age recipients with commas between them',
    )
    .optional()
    .meta({
      description: 'X25519 recipients (`age1…`) with commas between them: evidence is then in age files for them',
    }),
})
