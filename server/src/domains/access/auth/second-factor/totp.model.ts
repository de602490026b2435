import { Secret, TOTP } from 'otpauth'

/** What every authenticator app can do (RFC 6238, the key URI format): six digits, 30 seconds, SHA-1. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Codes of the step before and the one after are taken too: clocks differ, and people type slowly. */
const stepsAround = 1

export const newTotpSecret = (): Uint8Array => new Secret({ size: 20 }).bytes

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })

export const totpBase32 = (bytes: Uint8Array): string => secretOf(bytes).base32

/** `otpauth://totp/…`. A colon would end the issuer. */
export const totpUri = (bytes: Uint8Array, issuer: string, account: string): string =>
  new TOTP({ ...form, secret: secretOf(bytes), issuer: issuer.replaceAll(':', ' '), label: account }).toString()

/** The step that a code belongs to; undefined for one that is wrong now. */
export const stepOfCode = (bytes: Uint8Array, code: string, now: number): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = TOTP.validate({
    ...form,
    secret: secretOf(bytes),
    token: code,
    timestamp: now,
    window: stepsAround,
  })
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp: now }) + delta
}
