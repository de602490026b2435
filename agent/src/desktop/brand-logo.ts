import type { Client } from '@integrity/client/every-endpoint'
import { describeError } from '../core/upload/answers.ts'

export interface BrandLogoOptions {
  readonly client: () => Client | undefined
  /** The logo's address, as the service said it. */
  readonly address: () => string | undefined
  readonly onTrouble: (trouble: string) => void
}

/** More is no logo of the service's making. */
const mostBytes = 740_000
const patienceMs = 15_000
const logoPath = /\/v1\/orgs\/([^/?#]+)\/branding\/logo(?:\?v=([0-9a-f]{1,64}))?$/

/** What is read of a body; undefined for more than is wanted. */
const readAtMost = async (response: Response, most: number): Promise<Buffer | undefined> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > most) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'

/** The organisation's logo for the window, which may ask nobody itself: from the session's own service, once. */
export class BrandLogo {
  readonly #options: BrandLogoOptions
  #kept: { readonly address: string; readonly picture: Promise<string | null> } | undefined

  constructor(options: BrandLogoOptions) {
    this.#options = options
  }

  async picture(): Promise<string | null> {
    const address = this.#options.address()
    if (address === undefined) return null
    if (this.#kept?.address !== address) this.#kept = { address, picture: this.#fetch(address) }
    return this.#kept.picture
  }

  async #fetch(address: string): Promise<string | null> {
    const [, orgId, v] = logoPath.exec(address) ?? []
    const client = this.#options.client()
    if (orgId === undefined || !client) return null
    try {
      const given = { params: { orgId }, query: v === undefined ? {} : { v }, timeoutMs: patienceMs }
      const { data } = await client.call('branding.logo', given)
      const bytes = await readAtMost(data, mostBytes)
      if (bytes && isPng(bytes)) return `data:image/png;base64,${bytes.toString('base64')}`
      this.#options.onTrouble('the logo is none')
    } catch (error) {
      this.#options.onTrouble(`no logo: ${describeError(error)}`)
    }
    return null
  }
}
