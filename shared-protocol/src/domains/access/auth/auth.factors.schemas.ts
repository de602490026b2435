import * as z from 'zod'
import { freeObject, id, instant, listOf, oneLine } from '../../../core/primitives.ts'
import { signedIn } from './auth.schemas.ts'

/** Factors of an account: one authenticator app, and passkeys. */
export const maxPasskeys = 10
export const recoveryCodeCount = 10
/** How long a factor may take to be set up, and the second step of a sign-in. */
export const factorSetupMinutes = 10
export const secondStepMinutes = 5
/** Tries at one second step. */
export const secondStepTries = 5
/**
 * Wrong codes of an authenticator app for an account in a day: from all strangers together, who all have the password, and from
 * each device that the account was open on before. Three of a million codes are right at a time, so strangers meet one in
 * 45 years. Passkeys and recovery codes cannot be guessed, and are taken beyond it.
 */
export const totpTriesPerDay = 20
/** Sign-ins that an account has open at the same time; one more ends the one that was used longest ago. */
export const maxSignIns = 100

const locale = z.string().max(35).optional().meta({ description: 'language of the message, BCP 47; English otherwise' })
const totpCode = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be six digits'))
const label = oneLine(60).optional().meta({ description: 'how the person calls it' })

/** Who changes how an account is secured shows again that it is theirs. */
const proofFields = {
  password: z.string().min(1).max(1024).optional().meta({ description: 'the password of the account, or `code`' }),
  code: totpCode.optional().meta({ description: 'a code of its authenticator app, or `password`' }),
}
const oneProof = ({ password, code }: { password?: string | undefined; code?: string | undefined }) =>
  (password === undefined) !== (code === undefined)
const oneProofWords = { message: 'give either the password or a code of the authenticator app', path: ['password'] }
export const accountProof = z.object(proofFields).refine(oneProof, oneProofWords)

export const factorKinds = ['totp', 'passkey'] as const
export type FactorKind = (typeof factorKinds)[number]
export const secondMethods = ['totp', 'passkey', 'recovery_code'] as const

export const factor = z
  .object({
    id: id('fac'),
    kind: z.enum(factorKinds),
    label: z.string().nullable(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Factor' })

export const factors = z.object({
  factors: z.array(factor).meta({ description: 'oldest first' }),
  recoveryCodes: z.object({ left: z.number().int().min(0) }).meta({ description: 'that have not been used' }),
  required: z.boolean().meta({ description: 'an organisation of the account requires a second factor' }),
})

export const totpBegun = z.object({
  secret: z.string().meta({ description: 'base32, for who types it' }),
  uri: z.string().meta({ description: '`otpauth://totp/…`, to be shown as a QR code' }),
  expiresAt: instant,
})
export const totpConfirm = z.object({ code: totpCode, label, locale })

const recoveryCodes = z
  .array(z.string())
  .meta({ description: 'each works once, in place of the second factor; shown here and nowhere again' })
export const factorAdded = z.object({
  factor,
  recoveryCodes: recoveryCodes.nullable().meta({ description: 'null where the account has some already' }),
})
export const newRecoveryCodes = z.object({ recoveryCodes })

export const factorRemove = z.object({ ...proofFields, locale }).refine(oneProof, oneProofWords)
export const factorRemoved = z.object({ id: id('fac'), removed: z.literal(true) })

const webAuthnId = z
  .string()
  .min(1)
  .max(1400)
  .regex(/^[\w-]+$/, 'must be base64url')
const webAuthnBytes = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\w-]+$/, 'must be base64url')
const transports = z.array(z.string().max(32)).max(8).optional()
const credentialFields = {
  id: webAuthnId,
  rawId: webAuthnId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).optional(),
  clientExtensionResults: freeObject.optional(),
}
/** As `PublicKeyCredential.toJSON()` gives it (WebAuthn Level 3). */
export const passkeyRegistration = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: webAuthnBytes,
    attestationObject: webAuthnBytes,
    authenticatorData: webAuthnBytes.optional(),
    transports,
    publicKeyAlgorithm: z.number().int().optional(),
    publicKey: webAuthnBytes.optional(),
  }),
})
export const passkeyAssertion = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: webAuthnBytes,
    authenticatorData: webAuthnBytes,
    signature: webAuthnBytes,
    userHandle: z.string().max(1400).nullish(),
  }),
})
export const passkeyOptions = z.object({
  options: freeObject.meta({
    description: 'for `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`',
  }),
  expiresAt: instant,
})
export const passkeyAdd = z.object({ credential: passkeyRegistration, label, locale })

/** What sign-in answers where the account has a second factor; no cookie is set. */
export const secondStep = z
  .object({
    secondFactor: z.object({
      required: z.literal(true),
      methods: z.array(z.enum(secondMethods)),
      challengeToken: z.string().meta({ description: 'to be sent to the second step, `sfc_…`' }),
      passkeyOptions: freeObject.optional().meta({
        description: 'for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`',
      }),
      expiresAt: instant,
    }),
  })
  .meta({ id: 'SecondStep' })
export const loginAnswer = z.union([signedIn, secondStep])

const methodCount = (given: { code?: unknown; recoveryCode?: unknown; passkey?: unknown }): number =>
  [given.code, given.recoveryCode, given.passkey].filter((value) => value !== undefined).length
export const secondStepBody = z
  .object({
    challengeToken: z.string().min(1).max(200),
    code: totpCode.optional(),
    recoveryCode: z.string().min(1).max(64).optional(),
    passkey: passkeyAssertion.optional(),
    locale,
  })
  .refine((given) => methodCount(given) === 1, {
    message: 'give one of code, recoveryCode and passkey',
    path: ['code'],
  })

export const signIn = z
  .object({
    id: id('pss'),
    current: z.boolean().meta({ description: 'the one that asks' }),
    address: z.string().nullable().meta({ description: 'the network address it was made from' }),
    userAgent: z.string().nullable().meta({ description: 'what the browser or program called itself' }),
    createdAt: instant,
    lastUsedAt: instant.meta({ description: 'when it was renewed last, which is every 15 minutes of use' }),
    expiresAt: instant.meta({ description: 'unless it is used before' }),
  })
  .meta({ id: 'SignIn' })
export const signIns = listOf(signIn)
export const signInEnded = z.object({ id: id('pss'), ended: z.literal(true) })
export const signInsEnded = z.object({ ended: z.number().int().min(0) })
