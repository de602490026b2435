import type { passkeyAssertion, passkeyRegistration } from '@integrity/protocol'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type * as z from 'zod'
import type { FactorRow } from './second-factors.store.ts'

/** Loaded when the first passkey is asked for: it brings hundreds of modules. */
const library = () => import('@simplewebauthn/server')

/** A passkey belongs to the host of the service, and is asked for by its own pages alone. */
const partyOf = (baseUrl: string) => {
  const { hostname, origin } = new URL(baseUrl)
  return { rpID: hostname, origin }
}

const namesOf = ({ transports }: FactorRow): string[] => transports?.split(' ').filter(Boolean) ?? []
const described = (factors: readonly FactorRow[]) =>
  factors.flatMap((factor) => {
    const { credentialId } = factor
    return credentialId === null ? [] : [{ id: credentialId, transports: namesOf(factor) }]
  })
const fromBase64url = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

/** EdDSA, ES256, RS256 (COSE): every authenticator has one of them. Those of the future are experimental in Node. */
const supportedAlgorithmIDs = [-8, -7, -257]

interface Owner {
  readonly userId: string
  readonly email: string
  readonly name: string | null
}

/** What a browser is asked for when a passkey is made. It is beside a password, so any authenticator will do. */
export const creationOptions = async (
  baseUrl: string,
  { userId, email, name }: Owner,
  challenge: string,
  known: readonly FactorRow[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: 'Interview Integrity',
    rpID: partyOf(baseUrl).rpID,
    challenge: fromBase64url(challenge),
    userID: Uint8Array.from(Buffer.from(userId)),
    userName: email,
    userDisplayName: name ?? email,
    attestationType: 'none',
    excludeCredentials: described(known),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })

/** What a browser is asked for at the second step of a sign-in. */
export const requestOptions = async (baseUrl: string, challenge: string, known: readonly FactorRow[]) =>
  (await library()).generateAuthenticationOptions({
    rpID: partyOf(baseUrl).rpID,
    challenge: fromBase64url(challenge),
    allowCredentials: described(known),
    userVerification: 'preferred',
  })

export interface NewPasskey {
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: string
}

/** What the library throws is of the caller's making: a foreign origin, host or challenge, bytes that are none. */
const unlessRefused = async <T>(work: () => Promise<T | undefined>): Promise<T | undefined> => {
  try {
    return await work()
  } catch {
    return undefined
  }
}

/** The passkey that was made for this challenge on a page of this service; undefined for anything else. */
export const newPasskeyOf = (
  baseUrl: string,
  credential: z.output<typeof passkeyRegistration>,
  challenge: string,
): Promise<NewPasskey | undefined> =>
  unlessRefused(async () => {
    const { rpID, origin } = partyOf(baseUrl)
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: credential as unknown as RegistrationResponseJSON,
      supportedAlgorithmIDs,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    })
    if (!registrationInfo) return undefined
    const { id, publicKey, counter, transports } = registrationInfo.credential
    const names = (transports ?? []).filter((name) => /^[a-z-]+$/.test(name))
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: names.join(' '),
    }
  })

/** The counter that this passkey has signed for the challenge; undefined where it did not, or went back. */
export const signedCounter = (
  baseUrl: string,
  assertion: z.output<typeof passkeyAssertion>,
  challenge: string,
  { credentialId, publicKey, counter }: FactorRow,
): Promise<number | undefined> =>
  unlessRefused(async () => {
    const { rpID, origin } = partyOf(baseUrl)
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      credential: { id: credentialId ?? '', publicKey: fromBase64url(publicKey ?? ''), counter },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
