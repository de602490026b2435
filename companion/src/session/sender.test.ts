import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { FakeWorld } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import type { QueuedBeat } from './queue.port.ts'
import { Sender } from './sender.ts'

const beat = (n: number): QueuedBeat => ({
  kind: 'beat',
  clientId: `beat-${n}`,
  sessionId: 'ses_1',
  at: n,
  beat: { recording: 'on' },
})

it('beats that the service names as at fault are left out and counted, and the others arrive', async () => {
  const queue = await openIndexedQueue('sender')
  const { ports, service } = new FakeWorld(async () => queue)
  const presence = service.presence.bind(service)
  service.presence = async (who, beats) => {
    service.problems.delete('presence')
    const bad = beats.flatMap(({ clientId }, index) => (['beat-1', 'beat-3'].includes(clientId) ? [index] : []))
    const paths = bad.flatMap((index) => [`beats.${index}.at`, `body.beats.${index}.battery`])
    const details = [...paths, 'other'].map((path) => ({ path, message: 'no' }))
    if (bad.length > 0) service.fail('presence', 'refused', { details })
    return presence(who, beats)
  }
  const events = { onChange: () => {}, onPresence: () => {}, onStop: () => {}, onBroken: () => {} }
  const sender = new Sender(ports, queue, { token: 'cmt_1', sessionId: 'ses_1' }, events)
  for (const n of [0, 1, 2, 3, 4]) await queue.put(beat(n))
  await sender.drained()
  expect(service.beats.map(({ clientId }) => clientId)).toEqual(['beat-0', 'beat-2', 'beat-4'])
  expect(sender.view.refused).toBe(2)
})
