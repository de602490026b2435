import { iso } from '../../../../kernel/time.ts'
import type { OpenSignIn } from '../sign-ins/sign-ins.store.ts'
import type { Added } from './adding.service.ts'
import type { FactorRow } from './second-factors.store.ts'
import type { OpenedStep } from './second-step.service.ts'

const factorView = ({ id, kind, label, createdAt, lastUsedAt }: FactorRow) => ({
  id,
  kind,
  label,
  createdAt: iso(createdAt),
  lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
})

interface Factors {
  readonly factors: readonly FactorRow[]
  readonly codesLeft: number
  readonly required: boolean
}
export const factorsView = ({ factors, codesLeft, required }: Factors) => ({
  factors: factors.map(factorView),
  recoveryCodes: { left: codesLeft },
  required,
})

/** The only place where recovery codes are ever shown. */
export const addedView = ({ factor, recoveryCodes }: Added) => ({ factor: factorView(factor), recoveryCodes })

export const secondStepView = ({ challengeToken, methods, passkeyOptions, expiresAt }: OpenedStep) => ({
  secondFactor: {
    required: true as const,
    methods: [...methods],
    challengeToken,
    ...(passkeyOptions && { passkeyOptions: { ...passkeyOptions } }),
    expiresAt: iso(expiresAt),
  },
})

export const signInView =
  (currentId: string) =>
  ({ id, address, userAgent, createdAt, lastUsedAt, expiresAt }: OpenSignIn) => ({
    id,
    current: id === currentId,
    address,
    userAgent,
    createdAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
  })
