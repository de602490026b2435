/** Run by the kill test: puts items and events forever and says on stdout what has become durable, after it has. */
import { createHash, randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { fileKeyStore } from '../key-store.ts'
import { Spool } from '../spool.ts'

const dir = process.argv[2]
if (!dir) throw new Error('usage: spool-child DIR')

// Synchronous: a line that was written is in the pipe even when the next instruction is never reached.
const say = (line: string): number => writeSync(1, `${line}\n`)

const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), maxBytes: 1024 ** 3 })
say('ready')

const writer = async (): Promise<never> => {
  for (;;) {
    const bytes = randomBytes(2000 + Math.floor(Math.random() * 60_000))
    const stored = await spool.put({
      kind: 'screenshot',
      lane: 'screen',
      capturedAt: Date.now(),
      monotonicMs: performance.now(),
      contentType: 'image/webp',
      bytes,
      meta: {},
    })
    say(`item ${stored.clientId} ${createHash('sha256').update(bytes).digest('hex')}`)
    const [event] = spool.putEvents([
      { kind: 'idle.started', observedAt: Date.now(), monotonicMs: 0, source: 'test', data: {} },
    ])
    say(`event ${event}`)
    if (Math.random() < 0.3) {
      const item = spool.nextItem()
      if (item) {
        // Said before it happens: a kill may fall on either side.
        say(`acking ${item.clientId}`)
        await spool.ack(item.clientId)
      }
    }
  }
}
await Promise.all([writer(), writer(), writer()])
