import type { Needs } from '../../../kernel/call.ts'
import { PaymentFailed } from '../../../platform/payments/call-provider.ts'
import type { PaymentRequestBody } from '../../../platform/payments/types.ts'
import { addWish, deleteWish, findWish } from './wishes.store.ts'

type Asks = Needs<'clock' | 'db' | 'newId' | 'reader'>

/** A request that is repeated as it was, with its own key, until it is answered. */
export interface Wish {
  readonly orgId: string
  /** What is wanted, in the same words for the same wish. */
  readonly wanted: string
  readonly key: string
  readonly request: PaymentRequestBody
}

/** Longer ago nobody repeats anything; providers remember a key for a day. */
const repeatedMs = 3_600_000
export const wishesEndMs = 24 * repeatedMs

interface WishForInput {
  readonly orgId: string
  readonly wanted: string
  readonly make: (key: string) => Promise<PaymentRequestBody>
}

/** The open wish for the same, or a new one with the request that `make` gives for its key. */
export const wishFor = async (call: Asks, { make, ...of }: WishForInput): Promise<Wish> => {
  const now = call.clock.now()
  const madeAfter = now - repeatedMs
  const open = await findWish(call.reader, of, madeAfter)
  if (open) return { ...of, key: open.key, request: JSON.parse(open.params) }
  const key = call.newId('wish')
  const params = JSON.stringify(await make(key))
  const kept = await call.db.transact((tx) => addWish(tx, of, { key, params, now, madeAfter }))
  return { ...of, key: kept.key, request: JSON.parse(kept.params) }
}

/** The wish is fulfilled, in the transaction that keeps what came of it. */
export const endWish = ({ tx }: Needs<'tx'>, wish: Wish): Promise<void> => deleteWish(tx, wish, wish.key)

/** Sends a wish. One that is refused for good is over; one that nobody has answered stays, to be repeated. */
export const sendWish = async <T>(
  call: Asks,
  { wish, send }: { readonly wish: Wish; readonly send: () => Promise<T> },
): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    if (error instanceof PaymentFailed && error.isFinal) await call.db.transact((tx) => endWish({ tx }, wish))
    throw error
  }
}
