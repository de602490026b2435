import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '../../agent/test/end-to-end/tcp-proxy.ts'
import { recordedLanes } from '../../shared-protocol/src/domains/interviews/lanes/lanes.registry.ts'
import { accountProblems } from './account.ts'
import { DemoAgent } from './agent.ts'
import type { Cleanup } from './cleanup.ts'
import { compareLedger } from './compare.ts'
import { startDemoDesktop } from './desktop.ts'
import { renderFilm } from './film.ts'
import { checkMoments } from './moments.ts'
import { buildPhonePage, checkSideView, DemoPhone, isOfPhone } from './phone.ts'
import { listEvidence, openExamples } from './proof.ts'
import { fetchReport, reportText, type SessionReport } from './report.ts'
import { claim, DemoFailure, say } from './say.ts'
import { type DemoService, startDemoService } from './service.ts'

/** A policy that makes a short interview lively. */
const policy = {
  retentionDays: 7,
  capture: { enabled: true, screenshotIntervalSeconds: 2 },
  audio: { enabled: true, microphone: true, systemAudio: true, chunkSeconds: 5 },
  camera: { enabled: true, stills: true, stillIntervalSeconds: 3, clips: true, clipSeconds: 5 },
  sideView: { enabled: true, previewIntervalSeconds: 2, recording: true },
}

const seconds = { calm: 9, cut: 10, afterCut: 3, dead: 2, afterKill: 13 } as const

/** Waits, with a line now and then, so that nobody wonders. */
const record = async (agent: DemoAgent, forSeconds: number): Promise<void> => {
  for (let left: number = forSeconds; left > 0; left -= 4) {
    await delay(Math.min(4, left) * 1000)
    say(`  recording: ${agent.ledger().length} items captured so far`)
  }
}

interface Course {
  readonly service: DemoService
  readonly agent: DemoAgent
  readonly phone: DemoPhone
  readonly proxy: TcpProxy
  readonly sessionId: string
}

const schedule = async ({ api }: DemoService): Promise<{ sessionId: string; joinCode: string }> => {
  const startsAt = new Date(Date.now() + 60_000).toISOString()
  const { data: session } = await api.call('sessions.create', {
    body: {
      externalId: 'REQ-4711',
      candidateLabel: 'Candidate 12',
      config: policy,
      schedule: { startsAt, durationMinutes: 30, timeZone: 'Europe/Berlin' },
    },
    idempotencyKey: 'demo-1',
  })
  const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
  const { data } = await api.call('sessions.joinLinks.create', link)
  say(`Session ${session.id} is ${session.state}. The candidate's join code is ${data.joinCode}, the link ${data.url}`)
  return { sessionId: session.id, joinCode: data.joinCode }
}

/** The phone has a network of its own. */
const countOfAgent = async (service: DemoService, sessionId: string): Promise<number> =>
  (await listEvidence(service, sessionId)).filter((row) => !isOfPhone(row)).length

const cutNetwork = async ({ service, agent, proxy, sessionId }: Course): Promise<void> => {
  await proxy.cut()
  say(`The network between agent and server is cut for ${seconds.cut} s.`)
  // What was on its way when the connections dropped may still be written down.
  await delay(1000)
  const before = { stored: await countOfAgent(service, sessionId), captured: agent.ledger().length }
  await record(agent, seconds.cut - 1)
  const after = { stored: await countOfAgent(service, sessionId), captured: agent.ledger().length }
  claim(after.stored === before.stored, `nothing reached the server meanwhile (${after.stored} items are there)`)
  const more = after.captured - before.captured
  claim(more > 0, `the agent went on: ${more} more items are sealed on its disk`)
  await proxy.restore()
  say('The network is back. An agent does not come back in the same second as all the others.')
}

const killAgent = async ({ agent }: Course): Promise<void> => {
  const counted = agent.ledger().length
  const ending = await agent.crash()
  claim(ending?.signal === 'SIGKILL', `the agent was killed with SIGKILL after ${counted} items`)
  await delay(seconds.dead * 1000)
  say('It is started again on the same folder.')
  await agent.start()
  claim(true, 'the agent took up the same session again, without a new code')
}

const endSession = async ({ service, agent, phone, sessionId }: Course): Promise<string> => {
  const { data } = await service.api.call('sessions.end', { params: { id: sessionId }, body: { reason: 'completed' } })
  claim(data.state === 'ended' && data.endedAt !== null, 'the integrator ended the session')
  say('The agent learns of it within 10 s, sends what is left, and leaves.')
  const ending = await Promise.race([agent.ended, delay(45_000, undefined, { ref: false })])
  if (!ending) throw new DemoFailure(`the agent did not finish:\n${agent.lastLines}`)
  claim(ending.code === 0, 'the agent has sent everything and has left by itself', `${ending.code}: ${agent.lastLines}`)
  await phone.finished()
  return data.endedAt ?? ''
}

const checkReport = (report: SessionReport): void => {
  const problems = report.coverage.flatMap(accountProblems)
  claim(
    problems.length === 0,
    `the account of ${report.coverage.length} lanes adds up to the millisecond, without an overlap or a hole`,
    problems.join('; '),
  )
  for (const lane of recordedLanes) {
    const { observed = 0, objects = 0, gaps = [] } = report.coverage.find((row) => row.lane === lane) ?? {}
    claim(observed > 0 && objects > 0, `${lane}: ${observed} s observed, ${objects} items`)
    const stopped = gaps.filter(({ reason }) => reason === 'agent_stopped')
    claim(stopped.length > 0, `${lane}: the time without an agent is a gap, with its reason`)
  }
}

const prove = async ({ service, agent, sessionId }: Course, endedAt: string, folder: string): Promise<void> => {
  const report = await fetchReport(service, sessionId)
  console.log(`\n${reportText(report)}\n`)
  checkReport(report)
  await checkMoments(service, sessionId)
  const ledger = agent.ledger()
  const rows = await listEvidence(service, sessionId)
  const compared = compareLedger(
    ledger,
    rows.filter((row) => !isOfPhone(row)),
    { endedAt, adopted: agent.adopted },
  )
  const { delivered, afterEnd, adopted, problems } = compared
  claim(
    problems.length === 0,
    `all ${delivered} items captured before the end are there exactly once, with the same SHA-256`,
    problems.join('; '),
  )
  if (adopted > 0) say(`  ${adopted} more were on disk when the kill came and were delivered as well`)
  if (afterEnd > 0)
    say(`  ${afterEnd} captured between the end and the agent hearing of it were refused, as they must be`)
  claim(report.inventoryObjects === rows.length, `the report's inventory counts the same ${rows.length} objects`)
  checkSideView(rows)
  await openExamples(service, rows, ledger, folder)
  await renderFilm(service, join(folder, 'opened'), report)
  const verified = await service.admin('audit', 'verify', '--org', service.orgId)
  claim(true, `admin audit verify: ${verified}`)
}

/** The server reads the pages when it starts. */
const startDemoServiceWithPages = async (folder: string, cleanup: Cleanup): Promise<DemoService> => {
  await buildPhonePage()
  return startDemoService(folder, cleanup)
}

/** One whole interview, from the bootstrap to the report. Throws `DemoFailure` for the first claim that does not hold. */
export const runInterview = async (folder: string, cleanup: Cleanup): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  say(
    'Starting the server, and a desktop of its own: a virtual display with a browser, virtual sound, a film for a camera.',
  )
  const [service, desktop] = await Promise.all([startDemoServiceWithPages(folder, cleanup), startDemoDesktop(cleanup)])
  say("This machine's own screen, microphone and camera are not touched: the camera is a generated film that ffmpeg")
  say('  plays in real time, the voices are flite, one for the microphone and another for the loudspeaker.')
  const { sessionId, joinCode } = await schedule(service)
  const proxy = await startTcpProxy(service.port)
  cleanup.add(() => proxy.close())
  const agent = new DemoAgent(folder, desktop, cleanup)
  await agent.start('--server', proxy.url, '--join', joinCode)
  say('Consent was given on the command line; every lane records.')
  const phone = await DemoPhone.pair(service, sessionId, folder, cleanup)
  const course: Course = { service, agent, phone, proxy, sessionId }
  const from = performance.now()
  await record(agent, seconds.calm)
  await desktop.openNotes()
  say('Another window came to the front.')
  await cutNetwork(course)
  await record(agent, seconds.afterCut)
  await killAgent(course)
  await record(agent, seconds.afterKill)
  claim(performance.now() - from >= 30_000, `the interview took ${((performance.now() - from) / 1000).toFixed(0)} s`)
  const endedAt = await endSession(course)
  await prove(course, endedAt, folder)
}
