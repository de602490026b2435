import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createClient } from '@integrity/client/every-endpoint'
import type { BenchServer } from '../../server/bench/harness.ts'
import { mallocSettings } from '../../server/src/platform/malloc-settings.ts'
import { stopChild } from '../src/shared/child-process.ts'
import { startCountingProxy } from './counting-proxy.ts'
import type { Studio } from './studio.ts'

const headless = fileURLToPath(new URL('../src/headless/headless.ts', import.meta.url))
const startMs = 60_000
/** What is left is not waited for: the bench is over by then. */
const drainSeconds = 5

/** What a status line of the agent says, as far as the bench reads it. */
interface StatusLine {
  readonly type: string
  readonly lanes?: readonly { readonly lane: string; readonly state: string; readonly reason?: string }[]
  readonly captured?: Readonly<Record<string, number>>
  readonly trouble?: string
}

/** What a line of trouble begins with when a lane stopped recording, if only for a moment. */
const ofLane = /^(?:screen|microphone|system_audio|camera): /

export interface RecordingAgent {
  readonly pid: number
  /** Bytes that it has sent to the server so far: requests with their headers, as TCP carries them. */
  sentBytes(): number
  lastStatus(): StatusLine | undefined
  /** Each time that a lane stopped recording, in the agent's words. */
  lost(): readonly string[]
  stop(): Promise<void>
}

/** Resolves when all four lanes are up; rejects when the agent ends, or after a minute. */
const allUp = (child: ChildProcess, status: () => StatusLine | undefined, seen: (line: StatusLine) => void) =>
  new Promise<void>((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`${why}; its lanes: ${JSON.stringify(status()?.lanes ?? 'unknown')}`))
    const timer = setTimeout(() => fail('the agent does not record all four lanes'), startMs)
    child.once('exit', (code) => fail(`the agent ended with ${code}`))
    if (!child.stdout) throw new Error('the agent has no standard output')
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (!text.startsWith('{')) return
      const line = JSON.parse(text) as StatusLine
      seen(line)
      if (line.type !== 'status' || line.lanes?.length !== 4 || line.lanes.some(({ state }) => state !== 'up')) return
      clearTimeout(timer)
      resolve()
    })
  })

/** Starts the headless agent in a session of the default policy, through a network that is counted. */
export const startRecordingAgent = async (server: BenchServer, studio: Studio): Promise<RecordingAgent> => {
  const { url, sandboxKey } = server
  const api = createClient({ baseUrl: url, token: sandboxKey })
  const { data: session } = await api.call('sessions.create', { body: { externalId: 'bench-agent' } })
  const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
  const { data } = await api.call('sessions.joinLinks.create', link)
  const proxy = await startCountingProxy(Number(new URL(url).port))
  const folder = await mkdtemp(join(tmpdir(), 'bench-agent-'))
  const sources = ['--camera-file', studio.cameraFile, '--mic-source', 'mic', '--system-source', 'sysloop']
  const target = ['--server', proxy.url, '--join', data.joinCode, '--yes-consent', '--data', folder]
  const args = [...target, ...sources, '--drain-seconds', String(drainSeconds), '--json']
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', headless, ...args], {
    env: { ...studio.desktop.env, ...mallocSettings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last: StatusLine | undefined
  const lost: string[] = []
  const stop = async (): Promise<void> => {
    await stopChild(child, { graceMs: (drainSeconds + 15) * 1000 })
    await proxy.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    await allUp(
      child,
      () => last,
      (line) => {
        if (line.type === 'status') last = line
        if (line.trouble !== undefined && ofLane.test(line.trouble)) lost.push(line.trouble)
      },
    )
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, sentBytes: () => proxy.sentBytes(), lastStatus: () => last, lost: () => lost, stop }
}
