import { interleaved, type Target } from './get-session.ts'
import { type Bench, compared, forkPinned } from './harness.ts'

interface Routed {
  readonly url: string
  readonly pid: number
  readonly first: string
  readonly last: string
  readonly count: number
}

export const routing: Bench = {
  name: 'The last route declared against the first',
  what: "Koa with the service's route table, filled up to 242 endpoints, answering a few bytes: what is left is the look-up.",
  async run() {
    const { child, hello } = await forkPinned<Routed>('./routed-koa.ts')
    const target = (path: string): Target => ({ url: hello.url, path, pid: hello.pid, headers: {} })
    try {
      const [last, first] = await interleaved([target(hello.last), target(hello.first)])
      const name = `requests for each CPU second, last of ${hello.count} (${hello.last}) against first (${hello.first})`
      return [compared(name, last?.perCpu ?? 0, first?.perCpu ?? 1, '/cpu-s', { atLeast: 0.9 })]
    } finally {
      child.disconnect()
    }
  },
}
