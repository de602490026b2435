import {
  type CommandInput,
  type CommandName,
  commands,
  noStream,
  type PageMessage,
  pageCommand,
} from '../../machine/page/messages.ts'
import { readInventory } from './inventory.ts'
import { type OpenStream, openStream } from './open-stream.ts'
import { pageNow } from './page-clock.ts'
import { Refusal } from './refusal.ts'
import type { Reply } from './reply.ts'

type Handlers = { [N in CommandName]: (input: CommandInput<N>) => Promise<Reply<N>> }

const createHandlers = (tell: (news: PageMessage) => void): Handlers => {
  const streams = new Map<string, OpenStream>()
  const open = (name: string): OpenStream => {
    const found = streams.get(name)
    if (!found) throw new Refusal(noStream, 'this stream is not open')
    return found
  }
  return {
    ping: async () => ({ value: { at: pageNow() } }),
    inventory: async () => ({ value: await readInventory() }),
    open: async ({ stream, source }) => {
      const opened = await openStream(source, () => tell({ news: 'stream', stream }))
      streams.set(stream, opened)
      return { value: opened.description }
    },
    look: ({ stream }) => open(stream).look(),
    picture: async ({ stream, ...wanted }) => open(stream).picture(wanted),
    cut: async ({ stream, contentType, bitsPerSecond }) => ({
      value: { segment: await open(stream).cut(contentType, bitsPerSecond) },
    }),
    listen: async ({ stream, wanted }) => {
      open(stream).listen(wanted)
      return { value: {} }
    },
    confirm: async ({ stream }) => open(stream).confirm(),
    close: async ({ stream }) => {
      const closing = open(stream)
      streams.delete(stream)
      return closing.close()
    },
  }
}

const answer = async (handlers: Handlers, data: unknown): Promise<PageMessage | undefined> => {
  const { data: order } = pageCommand.safeParse(data)
  // Nobody waits for an answer that has no number.
  if (!order) return undefined
  try {
    const input = commands[order.command].input.parse(order.input)
    const handle = handlers[order.command] as (input: unknown) => Promise<Reply<CommandName>>
    const { value, bytes } = await handle(input)
    return { answer: order.id, value, ...(bytes ? { bytes } : {}) }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { refused: order.id, name: name.slice(0, 100), detail: message.slice(0, 2000) }
  }
}

/** Carries out the commands that come by the port. Bytes are handed over, not copied. */
export const servePort = (port: MessagePort): void => {
  const tell = (message: PageMessage): void => {
    const bytes = 'answer' in message ? message.bytes : undefined
    port.postMessage(message, bytes ? [bytes.buffer] : [])
  }
  const handlers = createHandlers(tell)
  port.addEventListener('message', ({ data }) => {
    void answer(handlers, data).then((message) => {
      if (message) tell(message)
    })
  })
  navigator.mediaDevices.addEventListener('devicechange', () => tell({ news: 'devices' }))
  port.start()
  tell({ news: 'ready' })
}
