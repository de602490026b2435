import * as z from 'zod'
import { id, instant, listOf, oneLine } from '../../../core/primitives.ts'

/** `age1` and 58 characters of Bech32. */
export const ageRecipientPattern = /^age1[02-9ac-hj-np-z]{58}$/

/** Recipients of an organisation's own that are in force at a time. */
export const maxOwnRecipients = 5
/** With those that were removed. */
export const maxKeptRecipients = 100

export const ageRecipient = z
  .string()
  .regex(ageRecipientPattern, 'must be an X25519 recipient of age (`age1…`)')
  .meta({ description: 'X25519 recipient of age, as `age-keygen` prints it' })

export const recipientBody = z.object({
  recipient: ageRecipient,
  label: oneLine(60).meta({ description: 'what people know it by, and where its identity is kept' }),
})

export const ownRecipient = z
  .object({
    id: id('rcp'),
    label: z.string(),
    recipient: z.string(),
    addedAt: instant,
    removedAt: instant.nullable().meta({ description: 'nothing new has been sealed to it since; null: in force' }),
  })
  .meta({
    id: 'OwnRecipient',
    description:
      'What was stored between `addedAt` and `removedAt` opens with its identity, which this service never has: keep it that long.',
  })

/** In the order they were added, removed ones too. */
export const ownRecipients = listOf(ownRecipient)
