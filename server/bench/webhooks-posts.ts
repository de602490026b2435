// The baseline of the webhooks bench: posts the same bodies with undici and does nothing else.
import { Agent } from 'undici'
import { seconds } from './harness.ts'

interface Order {
  readonly urls: readonly string[]
  readonly connections: number
  readonly perUrl: number
  readonly body: string
}

const post = async ({ urls, connections, perUrl, body }: Order): Promise<number> => {
  const agent = new Agent({ connections, pipelining: 1 })
  const bytes = Buffer.from(body)
  const worker = async (url: URL, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bytes,
      })
      await answer.body.dump()
    }
  }
  const took = await seconds(() =>
    Promise.all(
      urls.flatMap((url) =>
        Array.from({ length: connections }, () => worker(new URL(url), Math.round(perUrl / connections))),
      ),
    ),
  )
  await agent.close()
  return took
}

process.on('message', (order: Order) => void post(order).then((value) => process.send?.({ value })))
process.on('disconnect', () => process.exit(0))
process.send?.({})
