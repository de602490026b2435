import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { proofSeeds, proofSize, seededRandom } from '../../../../server/test/test-support/proof.ts'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import type { SpoolReport } from './types.ts'

/** Kills for each seed. */
const kills = proofSize({ small: 3, large: 10 })

/** Kills the child after so many lines: a random instant of its work, without a clock. */
const runAndKill = async (dir: string, afterLines: number): Promise<string[]> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-support', 'spool-child.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length === afterLines) child.kill('SIGKILL')
  }
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
  return lines
}

/** After how many lines each kill of a seed falls. */
const instants = (seed: number): number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: kills }, () => 5 + Math.floor(random() * 60))
}

describe('a spool whose process is killed with SIGKILL', () => {
  it('still has every item and event whose put had resolved, byte for byte', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'spool-kill-'))
    try {
      const items = new Map<string, string>()
      const events = new Set<string>()
      const seeds = proofSeeds()
      console.log(`${kills} kills of a spool for each of the seeds ${seeds.join(', ')}`)
      for (const afterLines of seeds.flatMap(instants)) {
        for (const line of await runAndKill(dir, afterLines)) {
          const [what, clientId = '', sha256 = ''] = line.split(' ')
          if (what === 'item') items.set(clientId, sha256)
          if (what === 'event') events.add(clientId)
          if (what === 'acking') items.delete(clientId)
        }
      }
      const reports: SpoolReport[] = []
      const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), onReport: (report) => reports.push(report) })
      try {
        expect(reports.filter((report) => report.kind !== 'adopted')).toEqual([])
        const found = new Map<string, string>()
        for (let item = spool.nextItem(); item; item = spool.nextItem()) {
          const { bytes } = await spool.read(item)
          found.set(item.clientId, createHash('sha256').update(bytes).digest('hex'))
        }
        expect(items.size).toBeGreaterThan(10)
        for (const [clientId, sha256] of items) expect([clientId, found.get(clientId)]).toEqual([clientId, sha256])
        const foundEvents = new Set<string>()
        for (let batch = spool.nextEvents(); batch.length > 0; batch = spool.nextEvents()) {
          for (const event of batch) foundEvents.add(event.clientId)
        }
        expect([...events].filter((clientId) => !foundEvents.has(clientId))).toEqual([])
      } finally {
        await spool.close()
      }
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })
})
