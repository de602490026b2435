import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

export const maxVerifierKey = 300

export const witnessSettings = z.object({
  mail: z
    .boolean()
    .meta({ description: 'mail the newest checkpoint to the owners and admins, once a day when the trail has moved' }),
  webhook: z.boolean().meta({ description: 'publish each hourly checkpoint as the event `audit.checkpoint`' }),
  witness: z
    .object({
      url: z.url().max(2000).meta({ description: 'submission prefix of a witness, https (c2sp.org/tlog-witness)' }),
      verifierKey: z
        .string()
        .min(1)
        .max(maxVerifierKey)
        .meta({ description: 'its key as `<name>+<hash>+<base64>`, of the type of cosignatures (4)' }),
    })
    .nullable()
    .meta({ description: 'a witness that is asked once a day to cosign a checkpoint of the tree' }),
})

const kept = z.object({
  rows: z.number().int().min(1).meta({ description: 'rows of the trail that it covers' }),
  at: instant,
})

export const witnessBody = witnessSettings.extend({ expectedVersion })

export const witnessing = witnessSettings
  .extend({
    version: shownVersion('`mail`, `webhook` and `witness`'),
    mailed: kept.nullable(),
    published: kept.nullable(),
    cosigned: kept
      .extend({ checkpoint: z.string().meta({ description: 'with our signature and the cosignature of the witness' }) })
      .nullable(),
    problem: z.string().nullable().meta({ description: 'why the witness last did not cosign; null when it did' }),
  })
  .meta({ id: 'Witnessing' })
