/** One open stream, read by hand, so that its bytes can be compared. */
export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  /** Whole blocks so far, each without its closing empty line. */
  readonly blocks: string[]
  /** Blocks with an `event:` field. */
  events(): string[]
  /** Resolves with the events once there are that many. */
  seen(count: number): Promise<string[]>
  /** Resolves when the server has ended the stream (true) or it broke (false). */
  readonly ended: Promise<boolean>
  close(): void
}

/** Opens an SSE address; an answer that is not 200 has no blocks. */
export const openStream = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  send: typeof fetch = fetch,
): Promise<OpenStream> => {
  const aborting = new AbortController()
  const response = await send(url, { headers, signal: aborting.signal })
  const blocks: string[] = []
  const watchers = new Set<() => void>()
  const events = () => blocks.filter((block) => /^event: /m.test(block))
  const read = async (): Promise<boolean> => {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
        rest = parts.pop() ?? ''
        blocks.push(...parts)
        for (const watcher of watchers) watcher()
      }
      return true
    } catch {
      return false
    }
  }
  const ended = read()
  return {
    status: response.status,
    headers: response.headers,
    blocks,
    events,
    seen: (count) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (events().length < count) return
          watchers.delete(check)
          resolve(events())
        }
        watchers.add(check)
        check()
        void ended.then(() => reject(new Error(`the stream ended after ${events().length} of ${count} events`)))
      }),
    ended,
    close: () => aborting.abort(),
  }
}

/** The value of one field of a block. */
export const fieldOf = (block: string | undefined, name: string): string | undefined =>
  block === undefined ? undefined : new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
