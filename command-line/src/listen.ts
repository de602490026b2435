import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook, WebhookVerificationError } from '@integrity/client'
import type { Command } from './command.ts'
import { lineOf } from './stream.ts'
import { exitCodes, setting, UsageError } from './terminal.ts'

/** A delivery is small; whoever sends more is not the service. */
const mostBytes = 1024 * 1024

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > mostBytes) throw new WebhookVerificationError('invalid_body', 'larger than a delivery is')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const portOf = (text: string): number => {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new UsageError('--port takes a number from 0 to 65535')
}

export const listen: Command = {
  name: 'listen',
  summary: 'takes webhook deliveries on this machine, checks their signature with WEBHOOK_SECRET and prints them',
  takes: [],
  options: {
    port: { type: 'string', summary: 'on 127.0.0.1; 4000 unless given' },
    count: { type: 'string', summary: 'end after so many that are genuine' },
  },
  run: async (terminal, { values }) => {
    const secret = setting(terminal, 'WEBHOOK_SECRET')
    const port = portOf(String(values['port'] ?? 4000))
    let left = values['count'] ? Number(values['count']) : Number.POSITIVE_INFINITY
    const ended = new AbortController()
    const server = createServer((request, response) => {
      const take = async (): Promise<void> => {
        const event = await verifyWebhook(await bodyOf(request), request.headers, secret)
        terminal.out(values['json'] ? JSON.stringify(event) : lineOf(event))
        response.writeHead(204).end()
        left -= 1
        if (left <= 0) ended.abort()
      }
      take().catch((error: unknown) => {
        const why = error instanceof WebhookVerificationError ? error.reason : String(error)
        terminal.err(`refused: ${why}`)
        response.writeHead(400, { Connection: 'close' }).end()
      })
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    terminal.err(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const over = AbortSignal.any([terminal.signal, ended.signal])
    if (!over.aborted) await once(over, 'abort')
    server.close()
    server.closeIdleConnections()
    return exitCodes.done
  },
}
