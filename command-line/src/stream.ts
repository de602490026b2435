import type { EventType, IntegrityEvent } from '@integrity/client'
import type { Command } from './command.ts'
import { clientOf, exitCodes } from './terminal.ts'

/** One line for people. */
export const lineOf = (event: IntegrityEvent): string =>
  [event.createdAt, event.type, 'sessionId' in event ? (event.sessionId ?? '') : '', event.id].join('  ').trim()

export const stream: Command = {
  name: 'stream',
  summary: 'prints events as they happen, until Ctrl-C',
  takes: [],
  options: {
    types: { type: 'string', summary: 'only these types, separated by commas' },
    session: { type: 'string', summary: 'only events of this session' },
    after: { type: 'string', summary: 'begin behind the event with this id' },
    count: { type: 'string', summary: 'end after so many' },
  },
  run: async (terminal, { values }) => {
    const { types, session, after, count } = values as Readonly<Record<string, string | undefined>>
    const events = clientOf(terminal).streamEvents({
      ...(types ? { types: types.split(',') as EventType[] } : {}),
      ...(session ? { sessionId: session } : {}),
      ...(after ? { lastEventId: after } : {}),
      signal: terminal.signal,
    })
    let left = count ? Number(count) : Number.POSITIVE_INFINITY
    for await (const event of events) {
      terminal.out(values['json'] ? JSON.stringify(event) : lineOf(event))
      left -= 1
      if (left <= 0) break
    }
    return exitCodes.done
  },
}
