import type { BodyInputOf, EndpointMap } from '@integrity/protocol'

type Json = Readonly<Record<string, unknown>>

/** The browser's own reading and writing of WebAuthn as JSON (Level 3), which not every type library knows. */
interface PasskeyApi {
  parseCreationOptionsFromJSON?: (options: Json) => PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?: (options: Json) => PublicKeyCredentialRequestOptions
}
const api = (): PasskeyApi | undefined =>
  typeof PublicKeyCredential === 'undefined' ? undefined : (PublicKeyCredential as unknown as PasskeyApi)

/** Whether this browser can make and use passkeys here. */
export const canUsePasskeys = (): boolean =>
  api()?.parseCreationOptionsFromJSON !== undefined && api()?.parseRequestOptionsFromJSON !== undefined

type Created = BodyInputOf<EndpointMap['auth.factors.passkeys.add']>['credential']
export type UsedPasskey = NonNullable<BodyInputOf<EndpointMap['auth.login.secondFactor']>['passkey']>

/** Undefined where whoever is asked does not go on, or nothing fits. */
const unlessRefused = async <T>(ask: () => Promise<Credential | null>): Promise<T | undefined> => {
  try {
    const credential = (await ask()) as (Credential & { readonly toJSON: () => T }) | null
    return credential?.toJSON()
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

export const makePasskey = (options: Json): Promise<Created | undefined> =>
  unlessRefused<Created>(async () => {
    const publicKey = api()?.parseCreationOptionsFromJSON?.(options)
    return publicKey ? navigator.credentials.create({ publicKey }) : null
  })

export const usePasskey = (options: Json): Promise<UsedPasskey | undefined> =>
  unlessRefused<UsedPasskey>(async () => {
    const publicKey = api()?.parseRequestOptionsFromJSON?.(options)
    return publicKey ? navigator.credentials.get({ publicKey }) : null
  })
