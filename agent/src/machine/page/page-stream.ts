import { randomUUID } from 'node:crypto'
import { DriverError } from '../../core/capture/types.ts'
import type { CommandInput, CommandValue, Handover, StreamSource } from './messages.ts'
import { lossError } from './page-failure.ts'
import type { Answer, PageLink } from './page-link.ts'
import type { PageLinks } from './page-links.ts'

type StreamCommand = 'look' | 'picture' | 'cut' | 'listen' | 'confirm'

/** An open source in the capture page. */
export interface PageStream {
  readonly source: StreamSource
  readonly opened: CommandValue<'open'>
  readonly link: PageLink
  request<N extends StreamCommand>(command: N, input: Omit<CommandInput<N>, 'stream'>): Promise<Answer<N>>
  /** What was recorded from the right source. Throws DriverError, with the reason, when it is not the same any more. */
  confirm(): Promise<Answer<'confirm'>>
  /** A signal that aborts when the page says something of this stream, or of its devices, or is gone. */
  nudge(): AbortSignal
  /** Closes it, and gives what was still open if it came from the right source. Never throws. */
  close(): Promise<Answer<'close'> | undefined>
}

const needsDisplay = ({ kind }: StreamSource): boolean => kind === 'display' || kind === 'loopback'

/** Opens a source in the page that lives now. Throws DriverError. */
export const openStream = async (links: PageLinks, source: StreamSource): Promise<PageStream> => {
  const link = await links.current()
  const stream = randomUUID()
  const open = async () => {
    try {
      return await link.request('open', { stream, source })
    } catch (error) {
      // It may have been opened after all, too late.
      void link.request('close', { stream }).catch(() => undefined)
      throw error
    }
  }
  const { value: opened } = await (needsDisplay(source) ? links.exclusive(open) : open())
  return new OpenedStream(link, stream, source, opened)
}

class OpenedStream implements PageStream {
  readonly source: StreamSource
  readonly opened: CommandValue<'open'>
  readonly link: PageLink
  readonly #stream: string
  readonly #forget: () => void
  #nudge = new AbortController()

  constructor(link: PageLink, stream: string, source: StreamSource, opened: CommandValue<'open'>) {
    this.link = link
    this.source = source
    this.opened = opened
    this.#stream = stream
    this.#forget = link.onNews((news) => {
      if (news.news === 'devices' || (news.news === 'stream' && news.stream === stream)) this.#nudge.abort()
    })
    void link.closed.then(() => this.#nudge.abort())
  }

  request<N extends StreamCommand>(command: N, input: Omit<CommandInput<N>, 'stream'>): Promise<Answer<N>> {
    return this.link.request<N>(command, { ...input, stream: this.#stream } as CommandInput<N>)
  }

  async confirm(): Promise<Answer<'confirm'>> {
    const answer = await this.request('confirm', {})
    this.#check(answer)
    return answer
  }

  nudge(): AbortSignal {
    if (this.#nudge.signal.aborted && !this.link.isClosed()) this.#nudge = new AbortController()
    return this.#nudge.signal
  }

  async close(): Promise<Answer<'close'> | undefined> {
    this.#forget()
    try {
      const answer = await this.link.request('close', { stream: this.#stream })
      return lengthsFit(answer) ? answer : undefined
    } catch {
      return undefined
    }
  }

  #check(answer: Answer<'confirm'>): void {
    const { state } = answer.value
    if (state !== 'same') throw lossError(state, this.source)
    if (!lengthsFit(answer)) throw new DriverError('driver_failed', 'the capture page handed over the wrong bytes')
  }
}

const lengthsFit = ({ value, bytes }: { value: Handover; bytes: Buffer }): boolean =>
  value.parts.reduce((sum, { length }) => sum + length, value.pcm?.length ?? 0) === bytes.length
