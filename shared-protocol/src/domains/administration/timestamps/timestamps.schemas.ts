import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

export const maxTimeCertificates = 32_768

const timeAuthority = z.object({
  url: z.url().max(2000).meta({ description: 'where requests after RFC 3161 are posted' }),
  policy: z
    .string()
    .regex(/^[0-2](\.(0|[1-9][0-9]{0,9})){1,20}$/)
    .nullable()
    .meta({ description: 'object identifier of the policy to ask for; null: the one it uses' }),
  certificates: z
    .string()
    .min(1)
    .max(maxTimeCertificates)
    .nullable()
    .meta({ description: 'PEM certificates that its own must lead to; null: those that Node.js trusts' }),
})

export const timestampSettings = z.object({
  authority: timeAuthority.nullable().meta({ description: 'who stamps checkpoints; null: nobody' }),
})

export const timestampBody = timestampSettings.extend({ expectedVersion })

export const timestamping = timestampSettings
  .extend({
    version: shownVersion('`authority`'),
    stamped: z
      .object({
        rows: z.number().int().min(1).meta({ description: 'rows of the trail that the checkpoint covers' }),
        at: instant.meta({ description: 'the time that the authority states' }),
        authority: z.string().meta({ description: 'the subject of the certificate that signed it' }),
        checkpoint: z
          .string()
          .meta({ description: 'its first three lines, with their line breaks, are what was stamped' }),
        response: z.base64().meta({ description: 'the answer of the authority, as `openssl ts -verify -in` takes it' }),
      })
      .nullable()
      .meta({ description: 'the newest checkpoint that has a time stamp' }),
    problem: z.string().nullable().meta({ description: 'why the last checkpoint has no time stamp; null when it has' }),
  })
  .meta({ id: 'Timestamping' })
