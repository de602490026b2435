import { IntegrityError } from '@integrity/client/errors'
import type { Client } from '@integrity/client/every-endpoint'
import { requestsLink } from '../core/session/requests-address.ts'
import { describeError } from '../core/upload/answers.ts'
import type { CommandOutput } from '../shared/ipc/channels.ts'
import type { BrowserPort } from './desktop-agent.types.ts'
import { outOfPlace, refuse } from './outcomes.ts'
import { problemOf } from './problems.ts'

export interface RequestsPageOptions {
  readonly browser: BrowserPort
  /** With the session's token. */
  readonly client: () => Client | undefined
  /** The page without a secret, where the window offers it. */
  readonly address: () => string | undefined
  readonly onTrouble: (trouble: string) => void
  /** Milliseconds; 15 s unless told, as somebody waits in front of the window. */
  readonly answerWithinMs?: number
}

type Opened = CommandOutput<'requests.open'>

/** The service itself said no: the token is over, the session removed, the service older than this. */
const isRefusal = (error: unknown): boolean =>
  error instanceof IntegrityError && error.code !== 'not_the_service' && error.status >= 400 && error.status < 500

/** Leads the candidate from the window to the page about what is kept, in their own browser. */
export class RequestsPage {
  readonly #options: RequestsPageOptions
  #opening: Promise<Opened> | undefined

  constructor(options: RequestsPageOptions) {
    this.#options = options
  }

  /** Once at a time: each link that the service makes ends the one before. */
  open(): Promise<Opened> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<Opened> {
    const address = this.#options.address()
    if (address === undefined) return outOfPlace
    let link: string | undefined
    try {
      link = await this.#link(address)
    } catch (error) {
      this.#options.onTrouble(`no link to the requests: ${describeError(error)}`)
      // A page of a service that does not answer, or is not known for sure, is of no use to anybody.
      if (!isRefusal(error)) return refuse(problemOf(error, 'session'))
    }
    try {
      await this.#options.browser.open(link ?? address)
    } catch (error) {
      const { name } = error instanceof Error ? error : { name: 'unknown' }
      // Not its message: it may hold the address, and with it the secret.
      this.#options.onTrouble(`the browser was not opened: ${name}`)
      return refuse({ code: 'browser_not_opened' })
    }
    return { done: true, opened: link === undefined ? 'address' : 'link' }
  }

  async #link(address: string): Promise<string | undefined> {
    const { answerWithinMs = 15_000 } = this.#options
    const client = this.#options.client()
    if (!client) return undefined
    const { data } = await client.call('candidateRequests.links.agent', { timeoutMs: answerWithinMs })
    const link = requestsLink(address, (data as Partial<typeof data> | undefined)?.token)
    if (link === undefined) this.#options.onTrouble('no link to the requests: the answer holds none')
    return link
  }
}
