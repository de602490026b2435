/** Run by the kill test: writes segments forever, first as they are told and then firm, and says what has become durable. */
import { writeSync } from 'node:fs'
import { ManualClock } from '../../../shared/test-support/manual-clock.ts'
import { SegmentWriter } from '../../transcript/segment-writer.ts'
import { fileKeyStore } from '../key-store.ts'
import { Spool } from '../spool.ts'

const dir = process.argv[2]
if (!dir) throw new Error('usage: transcript-child DIR')

// Synchronous: a line that was written is in the pipe even when the next instruction is never reached.
const say = (line: string): number => writeSync(1, `${line}\n`)

const clock = new ManualClock()
const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
const queue = spool.transcript
let last = ''
const store = {
  nextSequence: () => queue.nextSequence(),
  put: (segment: Parameters<typeof queue.put>[0]) => {
    queue.put(segment)
    last = `${segment.sequence} ${segment.segmentId} ${segment.final ? 'firm' : 'told'} ${segment.text}`
  },
}
const writer = new SegmentWriter({ speaker: 'candidate', language: 'en-US', store, clock })
say('ready')
for (let at = 0; ; at += 1000) {
  for (const text of ['one', 'one two', 'one two three']) {
    clock.advance(2000)
    writer.write({ startMs: at, endMs: at + 900, text, final: text.endsWith('three') })
    say(last)
  }
}
