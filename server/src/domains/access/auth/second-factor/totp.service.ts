import { totpTriesPerDay } from '@integrity/protocol'
import { clearAttempts, countAttempt } from '../../../../kernel/attempts/attempts.store.ts'
import type { Needs } from '../../../../kernel/call.ts'
import { rateLimited } from '../../../../kernel/rate-limited.ts'
import { type FactorRow, spendStep } from './second-factors.store.ts'
import { stepOfCode } from './totp.model.ts'

const daySeconds = 24 * 3600

/** Where codes are tried from: a device that the account was open on before, or anywhere else. */
export type TriedFrom = { readonly device: string } | 'strangers'
const counted = (userId: string, from: TriedFrom): string =>
  `codes of ${userId} from ${from === 'strangers' ? from : from.device}`

export const totpContext = (factorId: string): string => `totp:${factorId}`

/** The factor whose code matched, and the code's time step. */
export interface RightCode {
  readonly factorId: string
  readonly step: number
}

/**
 * Looks at a code, outside any transaction: each attempt is counted before, so that of a burst no more than the ceiling get
 * through. A right one is still to be spent.
 */
export const checkCode = async (
  call: Needs<'clock' | 'db' | 'keyring'>,
  {
    factor: { id, userId, sealedSecret, lastStep },
    from,
    code,
  }: { readonly factor: FactorRow; readonly from: TriedFrom; readonly code: string },
): Promise<RightCode | undefined> => {
  const now = call.clock.now()
  const name = counted(userId, from)
  const { attempts, endsAt } = await call.db.transact((tx) => countAttempt(tx, name, now, daySeconds * 1000))
  if (attempts > totpTriesPerDay)
    throw rateLimited(
      `${totpTriesPerDay} wrong codes in a day are the ceiling; a passkey or a recovery code is taken`,
      {
        limit: totpTriesPerDay,
        waitSeconds: (endsAt - now) / 1000,
        windowSeconds: daySeconds,
      },
    )
  const step = stepOfCode(call.keyring.unwrap(sealedSecret ?? '', totpContext(id)), code, now)
  return step === undefined || step <= (lastStep ?? 0) ? undefined : { factorId: id, step }
}

/** Takes a right code; those that were wrong before do not count any more. False: it was taken meanwhile. */
export const spendRightCode = async (
  call: Needs<'clock' | 'tx'>,
  {
    userId,
    from,
    right: { factorId, step },
  }: { readonly userId: string; readonly from: TriedFrom; readonly right: RightCode },
): Promise<boolean> => {
  if (!(await spendStep(call.tx, factorId, step, call.clock.now()))) return false
  await clearAttempts(call.tx, counted(userId, from))
  return true
}
