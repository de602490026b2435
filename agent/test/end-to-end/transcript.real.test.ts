import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCaptureConfig } from '../../src/core/capture/types.ts'
import { SessionEvents } from '../../src/core/session/session-events.ts'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { Spool } from '../../src/core/spool/spool.ts'
import { createTranscriptLane } from '../../src/core/transcript/transcript-lane.ts'
import { Uploader } from '../../src/core/upload/uploader.ts'
import { createLanes } from '../../src/machine/adapters/create-lanes.ts'
import { chooseEngine } from '../../src/machine/speech/choose-engine.ts'
import { englishModel, speak, speechPrograms } from '../../src/machine/speech/test-support/speech.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { recordingSink } from '../test-support/recording-sink.ts'
import { until } from '../test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../test-support/virtual-desktop.ts'
import { NodeChild } from './node-child.ts'
import { freePort } from './tcp-proxy.ts'
import { runAdmin } from './world.ts'

const needed = [...desktopPrograms, ...soundPrograms, ...speechPrograms]

describe.skipIf(!canRunWith('the transcript end to end', needed))('what is said during an interview', () => {
  let folder: string
  let desktop: VirtualDesktop
  let server: NodeChild
  let api: Client
  let clientFor: (token: string) => Client

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transcript-'))
    desktop = await startVirtualDesktop()
    const port = await freePort()
    const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'error' }
    Object.assign(env, { DATA_DIR: join(folder, 'server'), PORT: String(port), METRICS_PORT: '0' })
    const login = ['--email', 'owner@example.org', '--password', 'correct horse battery', '--json']
    const { text } = await runAdmin(env, 'bootstrap', '--org', 'Transcripts', ...login)
    const { sandboxKey } = JSON.parse(text) as { sandboxKey: string }
    server = new NodeChild({
      script: join(import.meta.dirname, 'server-process.mjs'),
      env,
      logFile: join(folder, 'server.log'),
    })
    await server.line('it listened', (line) => line.startsWith('listening'))
    clientFor = (token) => createClient({ baseUrl: `http://127.0.0.1:${port}`, token })
    api = clientFor(sandboxKey)
  })
  afterAll(async () => {
    await server?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })

  const play = async (sink: 'micfeed' | 'speaker', sentence: string): Promise<void> => {
    const said = await speak(sentence)
    const file = join(folder, `${sink}.raw`)
    await writeFile(file, Buffer.concat([said, said]))
    const format = ['--raw', '--rate=16000', '--channels=1', '--format=s16le']
    const child = desktop.launch('paplay', ['--latency-msec=40', ...format, `--device=${sink}`, file])
    await until(`${sink} to have been played`, () => child.exitCode !== null, 60_000)
  }

  const within = (timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> =>
    until('it to be so', condition, timeoutMs).then(
      () => true,
      () => false,
    )

  const beginSession = async () => {
    const { data: session } = await api.call('sessions.create', { body: { config: { audio: { transcript: true } } } })
    const agent = clientFor(session.agentJoinToken)
    const params = { id: session.id }
    const { consentDocument } = (await agent.call('agent.sessions.config', { params })).data
    const { version, locale, hash: documentHash, lanes } = consentDocument
    const agreed = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
    const acceptedAt = new Date().toISOString()
    const consent = { version, locale, documentHash, acceptedAt, lanes: agreed }
    await agent.call('agent.sessions.register', { body: { consent } })
    return { params, agent, startedAt: Date.now() }
  }

  it('is written down on the computer and reaches the service, lane by lane, with its coverage', async () => {
    const { params, agent, startedAt } = await beginSession()
    const spool = await Spool.open({ dir: await mkdtemp(join(folder, 'spool-')), keyStore: fileKeyStore(folder) })
    const clock = systemClock
    const uploader = new Uploader({ spool, client: agent, sessionId: params.id, clock })
    uploader.start()
    const recorded = recordingSink()
    const events = new SessionEvents({ spool, clock, onStored: () => uploader.nudge(), onTrouble: () => undefined })
    const sink = { ...recorded, gap: events.gap.bind(events), health: events.health.bind(events) }
    const transcript = createTranscriptLane({
      choose: () => chooseEngine(englishModel),
      store: spool.transcript,
      clock,
      sessionStartedAt: () => startedAt,
    })
    const sound = { chunkSeconds: 10, bitrateKbps: 24 }
    const lanes = createLanes({
      lanes: ['microphone', 'system_audio'],
      sink,
      config: {
        ...defaultCaptureConfig,
        microphone: { ...sound, source: 'mic' },
        systemAudio: { ...sound, source: 'sysloop' },
        onSound: (heard) => transcript.hear(heard),
        env: desktop.env,
      },
    })
    await transcript.apply(['microphone', 'system_audio', 'transcript'], sink)
    for (const lane of lanes.values()) lane.start()
    await until('both lanes to be up', () => [...lanes.values()].every((lane) => lane.health().state === 'up'))

    const wordsOf = async (speaker: string): Promise<string> => {
      const { data } = await api.call('sessions.transcript', { params, query: { limit: 100 } })
      return data.items.flatMap((item) => (item.speaker === speaker ? [item.text] : [])).join(' ')
    }
    // While the interview goes on, not only at its end. A machine with much else to do misses words, as people do.
    const sayUntilWritten = async (sink: 'micfeed' | 'speaker', sentence: string, speaker: string, words: RegExp) => {
      const isWritten = async () => words.test(await wordsOf(speaker))
      for (let times = 0; times < 4; times++) {
        await play(sink, sentence)
        if (await within(25_000, isWritten)) return
      }
      throw new Error(`of what was said there is: ${await wordsOf(speaker)}`)
    }
    await sayUntilWritten('speaker', 'good morning the weather is nice today', 'unknown', /weather is nice/)
    await sayUntilWritten('micfeed', 'the door of the house is open', 'candidate', /door of the house/)
    for (const lane of lanes.values()) await lane.stop()
    await transcript.stop()
    for (const window of [...transcript.takeCoverage()]) events.coverage(window)
    await until('everything to be sent', () => {
      const { segments, events: queued } = spool.remaining()
      return segments + queued === 0
    })
    await uploader.stop()
    expect(spool.refusals()).toEqual([])
    await spool.close()

    expect(await wordsOf('unknown')).toMatch(/weather is nice/)
    expect(await wordsOf('unknown')).not.toMatch(/house/)
    expect(await wordsOf('candidate')).toMatch(/door of the house/)
    expect(await wordsOf('candidate')).not.toMatch(/weather/)
    const { data } = await api.call('sessions.transcript', { params, query: { limit: 100 } })
    expect(data.items.every((item) => item.final && item.language === 'en-US')).toBe(true)
    const starts = data.items.map((item) => item.startMs)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const { data: observed } = await api.call('sessions.events.list', {
      params,
      query: { limit: 100, category: 'all' },
    })
    expect(observed.items.map(({ kind }) => kind)).toContain('lane.coverage')
    expect(JSON.stringify(observed)).not.toMatch(/weather|house/)
    const { data: report } = await api.call('sessions.report', { params })
    const coverage = report.coverage.find(({ lane }) => lane === 'transcript')
    expect(coverage!.expected).toBeGreaterThan(15)
    expect(coverage).toMatchObject({ enabled: true, declined: false })
    // Nothing but its start is missing, and nothing of the start is hidden.
    expect(coverage!.gaps.filter(({ reason }) => reason !== 'starting')).toEqual([])
    expect(coverage!.expectedMs - coverage!.observedMs).toBeLessThan(2000)
  }, 240_000)
})
