import type { captureChain } from '@integrity/protocol'
import type * as z from 'zod'

/** What a report says of the machines that signed what they captured. It stays as it is when evidence is erased. */
export const captureOf = ({ chains, signedItems, notVerifiedItems, notSigned }: z.output<typeof captureChain>) => ({
  machines: chains.map(({ key, registeredAt, items, gaps, missingItems, brokenPlaces, repeatedItems, end }) => ({
    key,
    registeredAt,
    items,
    gaps,
    missingItems,
    brokenPlaces,
    repeatedItems,
    endedAt: end?.at ?? null,
  })),
  signedItems,
  notVerifiedItems,
  notSignedItems: notSigned.reduce((sum, { items }) => sum + items, 0),
})
export type SignedCapture = ReturnType<typeof captureOf>
