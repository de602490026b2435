import { expect } from 'vitest'
import type { NodeChild } from './node-child.ts'
import { World } from './world.ts'

export const inWorld = async (work: (world: World) => Promise<void>): Promise<void> => {
  const world = await World.start()
  try {
    await work(world)
  } finally {
    await world.stop()
  }
}

const allPages = async <T>(
  page: (offset: number) => Promise<{ data: { items: T[]; total: number } }>,
): Promise<T[]> => {
  const rows: T[] = []
  for (;;) {
    const { data } = await page(rows.length)
    rows.push(...data.items)
    if (data.items.length === 0 || rows.length >= data.total) {
      expect(rows.length).toBe(data.total)
      return rows
    }
  }
}

/** What the service holds of the session. */
export const evidenceOf = ({ api, sessionId }: World) =>
  allPages((offset) => api.call('sessions.evidence.list', { params: { id: sessionId }, query: { limit: 100, offset } }))

export const eventsOf = ({ api, sessionId }: World) =>
  allPages((offset) =>
    api.call('sessions.events.list', { params: { id: sessionId }, query: { limit: 100, offset, category: 'all' } }),
  )

/** Lets the agent send what is left, ends the session, and waits for the agent to be done. */
export const finish = async (agent: NodeChild): Promise<void> => {
  agent.signal('SIGTERM')
  expect([await agent.ended, agent.tail]).toEqual([{ code: 0, signal: null }, expect.any(String)])
}
