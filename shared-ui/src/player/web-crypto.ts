interface SignedText {
  /** Ed25519, base64url. */
  readonly key: string
  readonly text: string
  /** Base64url. */
  readonly signature: string
}

/** Hex. */
export const sha256Of = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const importKey = async (key: string): Promise<CryptoKey | undefined> => {
  try {
    return await crypto.subtle.importKey('raw', bytesOf(key), { name: 'Ed25519' }, false, ['verify'])
  } catch (error) {
    // A browser without Ed25519 cannot tell; a key that is none says so too, and is none of the session.
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined
    throw error
  }
}

/** Undefined where this browser knows no Ed25519. */
export const isSignedBy = async ({ key, text, signature }: SignedText): Promise<boolean | undefined> => {
  try {
    const imported = await importKey(key)
    if (!imported) return undefined
    return await crypto.subtle.verify('Ed25519', imported, bytesOf(signature), new TextEncoder().encode(text))
  } catch {
    return false
  }
}
