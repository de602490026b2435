import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { proofSeeds, proofSize, seededRandom } from '../../../server/test/test-support/proof.ts'
import { type Carrier, carriers, nextPlan } from './kill-plan.ts'
import { isRecording, type World } from './world.ts'
import { eventsOf, evidenceOf, finish, inWorld } from './world-facts.ts'

const seeds = proofSeeds()
/** Of all seeds. */
const large = 50
/**
 * For each seed. A machine with other work takes seconds for each start: a small proof does as many kills as fit in the time,
 * and not less than the least. A large one goes on until 50 in all fell while a pack was on its way, and one while a part was.
 */
const size = proofSize({
  small: { kills: 6, least: 3, budgetMs: 12_000, packs: 0.3, insidePacks: 0, workBefore: 0 },
  large: {
    kills: 100,
    least: 0,
    budgetMs: 0,
    packs: 0.8,
    insidePacks: Math.ceil(large / seeds.length),
    workBefore: 40,
  },
})
const isLarge = size.insidePacks > 0
/** When the planned work does not come (the agent waits out an outage), the kill falls then. Parts and packs are rarer than the rest. */
const patienceMs = { items: 1500, bytes: 1500, part: 5000, pack: 5000 }
/** One kill of so many falls while the agent is still starting. */
const earlyOdds = 8
const limitMs = proofSize({ small: 300_000, large: 900_000 })

interface Captured {
  readonly clientId: string
  readonly sha256: string
}

const download = async ({ api }: World, id: string): Promise<string> => {
  const { data } = await api.call('evidence.downloadUrl', { params: { id } })
  const answer = await fetch(data.url)
  expect(answer.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

/** Runs `work` for each, eight at a time. */
const forEach = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const rest = all.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const one of rest) await work(one)
    }),
  )
}

/** What counted as captured is there exactly once, byte for byte; nothing else is, but what was made and cut off. */
const expectEverythingOnce = async (world: World, killed: number): Promise<number> => {
  const captured = (await world.agentLines('captured.jsonl')).map((line) => JSON.parse(line) as Captured)
  const made = new Set(await world.agentLines('made.txt'))
  const rows = await evidenceOf(world)
  const found = new Map(rows.map(({ clientId, sha256 }) => [clientId, sha256]))
  expect(captured.length).toBeGreaterThanOrEqual(killed)
  const missing = captured.filter(({ clientId, sha256 }) => found.get(clientId) !== sha256)
  expect(missing.length === 0 ? [] : [missing, await world.agentReports()]).toEqual([])
  expect(found.size).toBe(rows.length)
  expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(rows.length)
  // An item that was durable when the kill came, a moment before it was counted, is delivered as well.
  expect(rows.filter(({ sha256 }) => !made.has(sha256))).toEqual([])
  await forEach(rows, async ({ id, sha256, clientId }) => {
    expect([clientId, await download(world, id)]).toEqual([clientId, sha256])
  })
  return rows.length
}

/** Every item has its own place in the chain of the one key, and names the one before; a kill may leave a place empty. */
const expectOneChain = async ({ api, sessionId }: World, items: number): Promise<void> => {
  const { data } = await api.call('sessions.captureChain.get', { params: { id: sessionId } })
  expect(data).toMatchObject({ signedItems: items, notVerifiedItems: 0, notSigned: [] })
  const places = items + (data.chains[0]?.missingItems ?? 0)
  expect(data.chains).toMatchObject([{ items, brokenPlaces: 0, repeatedItems: 0, end: { items: places } }])
}

const expectObservationsOnce = async (world: World): Promise<void> => {
  const marks = (await eventsOf(world))
    .filter(({ kind }) => kind === 'vm.hint')
    .map(({ data }) => (data['value'] as { value: string }).value)
  expect(new Set(marks).size).toBe(marks.length)
  const there = new Set<unknown>(marks)
  expect((await world.agentLines('observed.txt')).filter((mark) => !there.has(mark))).toEqual([])
}

interface Killed {
  readonly times: number
  /** How many of them fell while a part of a chunked upload, and while a pack was on its way. */
  readonly inside: Readonly<Record<Carrier, number>>
}

const report = (who: string, { times, inside }: Killed, items: number): void =>
  console.log(
    `${times} kills of the ${who} (seeds ${seeds.join(', ')}), ${inside.part} of them while a part was on its way, ${inside.pack} while a pack was; ${items} items compared`,
  )

/** Kills so often for each seed, each time at a planned instant of the work. */
const killAndAgain = async (world: World, kill: (random: () => number) => Promise<void>): Promise<Killed> => {
  let times = 0
  const inside = { part: 0, pack: 0 }
  for (const seed of seeds) {
    const random = seededRandom(seed)
    const until = performance.now() + size.budgetMs
    const packs = inside.pack + size.insidePacks
    const isDue = (): boolean => isLarge && (inside.pack < packs || inside.part === 0)
    const goesOn = (done: number): boolean => done < size.least || isDue() || performance.now() < until
    for (let done = 0; done < size.kills && goesOn(done); done += 1) {
      // Otherwise most kills of the agent would find what it sends at its start, and few packs of many items.
      const work = Math.floor(random() * size.workBefore)
      if (work > 0) await world.watch.until({ after: 'items', amount: work }, patienceMs.items)
      const plan = nextPlan(random, size.packs)
      await world.watch.until(plan, patienceMs[plan.after])
      for (const carrier of carriers) if (world.watch.isInside(carrier)) inside[carrier] += 1
      await kill(random)
      times += 1
    }
  }
  return { times, inside }
}

const expectEnough = ({ inside }: Killed): void => {
  if (!isLarge) return
  expect(inside.pack).toBeGreaterThanOrEqual(large)
  expect(inside.part).toBeGreaterThan(0)
}

describe.concurrent('SIGKILL during capture and upload', () => {
  it(
    'of the agent loses and doubles nothing that counted as captured',
    () =>
      inWorld(async (world) => {
        const pace = { everyMs: 30, filmOdds: 20 }
        let agent = await world.joinAgent(pace)
        let recorded = agent.line('it recorded', isRecording)
        await recorded
        const killed = await killAndAgain(world, async (random) => {
          expect(await agent.kill()).toEqual({ code: null, signal: 'SIGKILL' })
          agent = world.startAgent(pace)
          recorded = agent.line('it recorded again', isRecording)
          // The next kill may come before that.
          recorded.catch(() => undefined)
          if (random() > 1 / earlyOdds) await recorded
        })
        await recorded
        await finish(agent)
        const items = await expectEverythingOnce(world, killed.times)
        report('agent', killed, items)
        await expectOneChain(world, items)
        await expectObservationsOnce(world)
        expectEnough(killed)
      }),
    limitMs,
  )

  it(
    'of the server loses and doubles nothing that counted as captured',
    () =>
      inWorld(async (world) => {
        const agent = await world.joinAgent({ everyMs: 120, filmOdds: 8 })
        await agent.line('it recorded', isRecording)
        const killed = await killAndAgain(world, async () => {
          expect(await world.killServer()).toBe('SIGKILL')
          await world.startServer()
        })
        await finish(agent)
        const items = await expectEverythingOnce(world, killed.times)
        report('server', killed, items)
        await expectOneChain(world, items)
        await expectObservationsOnce(world)
        expect(await world.verifyAudit()).toEqual({ code: 0, text: expect.any(String) })
        expectEnough(killed)
      }),
    limitMs,
  )
})
