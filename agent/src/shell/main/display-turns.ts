import { type PageCommand, pageMessage, streamSource } from '../../machine/page/messages.ts'
import type { CapturePage } from '../../machine/page/page-port.ts'
import type { WantedDisplay } from './display-media.ts'

interface Turn {
  readonly command: PageCommand
  readonly stream: string
  readonly wanted: WantedDisplay
}

/** The turn that a command takes: opening a display or the computer's sound. No other command asks for a display. */
const turnOf = (command: PageCommand): Turn | undefined => {
  if (command.command !== 'open') return undefined
  const { source, stream } = command.input as { source?: unknown; stream?: unknown }
  const parsed = streamSource.safeParse(source)
  if (!parsed.success || typeof stream !== 'string') return undefined
  const { data } = parsed
  if (data.kind === 'loopback') return { command, stream, wanted: { loopback: true } }
  if (data.kind !== 'display') return undefined
  const display = data.displayId === undefined ? {} : { displayId: data.displayId }
  return { command, stream, wanted: { ...display, loopback: false } }
}

/**
 * A page's request for a display does not say which command it belongs to. So the page is given one such command at a
 * time: the next waits until this one is answered or refused. Otherwise two displays opened at once could be taken for
 * each other.
 */
export class DisplayTurns {
  readonly #waiting: Turn[] = []
  #current: Turn | undefined

  /** What the page may be given now; undefined when no command asks for a display. */
  get wanted(): WantedDisplay | undefined {
    return this.#current?.wanted
  }

  inTurn(page: CapturePage): CapturePage {
    const next = (): void => {
      this.#current = this.#waiting.shift()
      if (this.#current) page.send(this.#current.command)
    }
    page.onMessage((message) => {
      const parsed = pageMessage.safeParse(message)
      if (!parsed.success || !this.#current) return
      const about = 'answer' in parsed.data ? parsed.data.answer : 'refused' in parsed.data ? parsed.data.refused : 0
      if (about === this.#current.command.id) next()
    })
    void page.closed.then(() => {
      this.#waiting.length = 0
      this.#current = undefined
    })
    return {
      ...page,
      send: (command) => {
        const turn = turnOf(command)
        if (turn && this.#current) {
          this.#waiting.push(turn)
          return
        }
        if (turn) this.#current = turn
        page.send(command)
        if (command.command === 'close') this.#dropWaiting((command.input as { stream: string }).stream)
      },
    }
  }

  /** Whoever closes a stream does not wait for its opening any more; one that the page has is answered first. */
  #dropWaiting(stream: string): void {
    const waits = this.#waiting.findIndex((turn) => turn.stream === stream)
    if (waits >= 0) this.#waiting.splice(waits, 1)
  }
}
