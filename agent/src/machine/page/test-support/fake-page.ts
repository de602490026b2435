import type { Clock } from '../../../shared/clock.ts'
import type { CommandInput, CommandName, PageCommand } from '../messages.ts'
import type { CapturePage } from '../page-port.ts'

export interface FakeAnswer {
  value: unknown
  bytes?: Uint8Array
}
export type FakeAnswers = { [N in CommandName]?: (input: CommandInput<N>) => FakeAnswer | Promise<FakeAnswer> }

/** A page whose answers are given by the test: `undefined` for a command is silence, a thrown error is a refusal. */
export type FakePage = CapturePage & {
  answers: FakeAnswers
  sent: PageCommand[]
  commands(): CommandName[]
  /** Says something unasked. */
  say(message: unknown): void
  close(): void
}

/** It answers pings by `clock` unless told otherwise. */
export const fakePage = (answers: FakeAnswers, clock: Clock): FakePage => {
  const listeners = new Set<(message: unknown) => void>()
  const over = Promise.withResolvers<void>()
  const page: FakePage = {
    answers: { ping: () => ({ value: { at: clock.wallMs() } }), ...answers },
    sent: [],
    closed: over.promise,
    close: () => over.resolve(),
    commands: () => page.sent.map(({ command }) => command),
    say: (message) => {
      for (const listener of listeners) listener(message)
    },
    onMessage: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send: (command) => {
      page.sent.push(command)
      void reply(command)
    },
  }
  const reply = async ({ id, command, input }: PageCommand): Promise<void> => {
    const answer = page.answers[command] as ((input: unknown) => FakeAnswer | Promise<FakeAnswer>) | undefined
    if (!answer) return
    try {
      page.say({ answer: id, ...(await answer(input)) })
    } catch (error) {
      const { name, message } = error as Error
      page.say({ refused: id, name, detail: message })
    }
  }
  return page
}

/** An error with the name of one of a browser's. */
export const browserError = (name: string): Error => Object.assign(new Error('as the browser says it'), { name })
