import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type BenchServer, compared, type Figure, startBenchServer } from '../../server/bench/harness.ts'
import { startBareCommands } from './bare-commands.ts'
import { type TreeMemory, treeByProcess, treeCpuSeconds, treeMemory } from './process-tree.ts'
import { type RecordingAgent, startRecordingAgent } from './recording-agent.ts'
import { openStudio, type Studio } from './studio.ts'

const measuredSeconds = Number(process.env['BENCH_AGENT_SECONDS'] ?? 60)
const warmUpSeconds = 10
/** For starting, warming up and stopping both sides, beside the two stretches that are measured. */
const spareSeconds = 180
const memoryEveryMs = 2000

const goals = { cpuPercent: 5, residentMiB: 250, sentMiBPerHour: 60 } as const
const nextGoals = { ofBareCommands: 0.5, residentMiB: 160, sentMiBPerHour: 20 } as const

interface Measured {
  /** Of one core. */
  readonly cpuPercent: number
  readonly memory: TreeMemory
  readonly seconds: number
}

/** Watches process trees for the measured time, after the warm-up. Memory is the most that was seen. */
const watch = async (roots: readonly number[]): Promise<Measured> => {
  const cpuSeconds = (): number => roots.reduce((sum, pid) => sum + treeCpuSeconds(pid), 0)
  const started = performance.now()
  const before = cpuSeconds()
  const memory = { root: 0, tree: 0 }
  while (performance.now() - started < measuredSeconds * 1000) {
    await delay(Math.min(memoryEveryMs, Math.max(0, measuredSeconds * 1000 - (performance.now() - started))))
    const now = roots.map(treeMemory)
    memory.root = Math.max(memory.root, ...now.map(({ root }) => root))
    memory.tree = Math.max(
      memory.tree,
      now.reduce((sum, { tree }) => sum + tree, 0),
    )
  }
  const used = cpuSeconds() - before
  const seconds = (performance.now() - started) / 1000
  return { cpuPercent: (used / seconds) * 100, memory, seconds }
}

/** For a reader who looks for what is expensive: processor time of each process since its start. */
const tell = (agent: RecordingAgent): void => {
  console.error(`captured: ${JSON.stringify(agent.lastStatus()?.captured)}`)
  for (const { name, cpuSeconds } of treeByProcess(agent.pid)) console.error(`  ${cpuSeconds.toFixed(2)} s ${name}`)
}

const ours = async (server: BenchServer, studio: Studio): Promise<Measured & { readonly sentMiBPerHour: number }> => {
  const agent = await startRecordingAgent(server, studio)
  try {
    await delay(warmUpSeconds * 1000)
    const before = agent.sentBytes()
    const measured = await watch([agent.pid])
    const sent = agent.sentBytes() - before
    if (process.env['BENCH_PROF']) tell(agent)
    // What was not recorded costs nothing, and would flatter the figures.
    const lost = agent.lost()
    if (lost.length > 0) throw new Error(`the agent did not record all the time: ${lost.join('; ')}`)
    return { ...measured, sentMiBPerHour: ((sent / measured.seconds) * 3600) / 1024 ** 2 }
  } finally {
    await agent.stop()
  }
}

const bare = async (studio: Studio): Promise<Measured> => {
  const commands = await startBareCommands(studio)
  try {
    await delay(warmUpSeconds * 1000)
    return await watch(commands.pids)
  } finally {
    await commands.stop()
  }
}

const atMost = (name: string, value: number, unit: string, goal: number): Figure => ({
  name,
  value: `${value.toFixed(1)} ${unit}`,
  goal: `≤ ${goal} ${unit}`,
  met: value <= goal,
})

const figures = (agent: Awaited<ReturnType<typeof ours>>, commands: Measured): Figure[] => {
  const { cpuPercent, memory, sentMiBPerHour } = agent
  const cpu = atMost('processor time of the whole agent, share of one core', cpuPercent, '%', goals.cpuPercent)
  const { baseline, ratio } = compared('', cpuPercent, commands.cpuPercent, '%', {})
  const ofCommands = { atMost: nextGoals.ofBareCommands }
  return [
    { ...cpu, ...(baseline === undefined ? {} : { baseline }), ...(ratio === undefined ? {} : { ratio }) },
    {
      ...atMost('memory of the whole agent (shared pages divided)', memory.tree, 'MiB', goals.residentMiB),
      baseline: `${commands.memory.tree.toFixed(1)} MiB`,
      ratio: memory.tree / commands.memory.tree,
    },
    { name: 'resident memory of its Node process alone', value: `${memory.root.toFixed(1)} MiB` },
    atMost('sent to the server in an hour', sentMiBPerHour, 'MiB', goals.sentMiBPerHour),
    compared(
      'by the next goals: its processor time against the commands',
      cpuPercent,
      commands.cpuPercent,
      '%',
      ofCommands,
    ),
    atMost('by the next goals: its memory', memory.tree, 'MiB', nextGoals.residentMiB),
    atMost('by the next goals: sent in an hour', sentMiBPerHour, 'MiB', nextGoals.sentMiBPerHour),
  ]
}

export const agent: Bench = {
  name: 'Agent',
  what: `The headless agent in a session of the default policy: four lanes and every observer, on a 1920×1080 desktop with a moving picture, speech in the microphone, a tone from the speakers and a film for a camera, over ${measuredSeconds} s after ${warmUpSeconds} s. Baseline: bare ffmpeg commands (a still of the screen each 10 s, Opus at 24 kb/s of both sources, a still of the camera each 15 s) with nothing of ours, for as long.`,
  async run(): Promise<Figure[]> {
    const server = await startBenchServer()
    try {
      const studio = await openStudio(2 * measuredSeconds + spareSeconds)
      try {
        return figures(await ours(server, studio), await bare(studio))
      } finally {
        await studio.stop()
      }
    } finally {
      await server.stop()
    }
  },
}
