import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { expect, it } from 'vitest'
import { stageNews } from '../../test-support/ats.ts'
import { theirCredentials } from '../../test-support/ats-systems.ts'
import { useProcesses } from '../../test-support/processes.ts'

const { run, start } = useProcesses()

const events = 1000
const senders = 16
/** So many are answered when the process is killed. */
const kills = [250, 600]
const stage = { id: '71416', name: 'Technical interview' }
const words = { email: 'owner@acme.example', password: 'correct horse battery' }

/** Who sends comes from many addresses, as a provider's do. */
const settings = { TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'http://127.0.0.1:1' }

it('a burst of events is a session for each, though the process is killed in the middle of it, and again', async () => {
  const made = run('app/admin.ts', [
    'bootstrap',
    '--org',
    'Acme',
    ...['--email', words.email, '--password', words.password],
    '--json',
  ])
  expect(await made.ended, made.output()).toBe(0)
  const { orgId, liveKey } = JSON.parse(made.stdout()) as { orgId: string; liveKey: string }
  let running = await start(settings)
  const signIn = async () => {
    const answer = await fetch(`${running.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(words),
    })
    return {
      cookie: answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; '),
    }
  }
  const { data: connection } = await createClient({ baseUrl: running.url }).call('portal.ats.connect', {
    params: { orgId },
    headers: await signIn(),
    body: {
      provider: 'greenhouse',
      label: 'Hiring',
      credentials: theirCredentials.greenhouse,
      settings: { triggerStages: [stage.name], invite: false, push: [] },
    },
  })
  const news = Array.from({ length: events }, (_, n) => {
    const ids = { applicationId: String(10_000 + n), candidateId: String(20_000 + n) }
    const person = { ...ids, first: 'Asha', last: 'Verma', email: null, stage }
    return stageNews.greenhouse(person, { secret: connection.inboundSecret, now: Date.now(), event: `event-${n}` })
  })
  const sendOnce = async (n: number): Promise<number> => {
    const { headers, payload = '' } = news[n] ?? { headers: {} }
    const from = { 'x-forwarded-for': `203.0.113.${n % 250}` }
    const url = `${running.url}/v1/integrations/ats/${orgId}/${connection.id}`
    return fetch(url, { method: 'POST', headers: { ...headers, ...from }, body: payload }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
  }
  let answered = 0
  const waiting = [...kills]
  let restarting: Promise<void> = Promise.resolve()
  const killAt = (): void => {
    if (waiting[0] === undefined || answered < waiting[0]) return
    waiting.shift()
    const { child } = running
    child.process.kill('SIGKILL')
    restarting = child.ended.then(async () => {
      running = await start(settings)
    })
  }
  const turn = news.keys()
  const sender = async (): Promise<void> => {
    for (const n of turn)
      for (;;) {
        await restarting
        if ((await sendOnce(n)) === 200) {
          answered += 1
          killAt()
          break
        }
        await pause(20)
      }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  await restarting
  expect(waiting).toEqual([])
  // What a provider sends again though it was answered.
  for (let n = 0; n < events; n += 50) expect(await sendOnce(n)).toBe(200)
  const headers = await signIn()
  const portal = createClient({ baseUrl: running.url })
  const pending = async () => {
    const query = { status: 'pending' as const, limit: 1 }
    return (await portal.call('portal.ats.sync', { params: { orgId, configId: connection.id }, headers, query })).data
      .total
  }
  while ((await pending()) > 0) await pause(250)
  const api = createClient({ baseUrl: running.url, token: liveKey })
  const found: (string | null)[] = []
  for (let offset = 0; offset < events + 100; offset += 100) {
    const { data } = await api.call('sessions.list', { query: { limit: 100, offset } })
    found.push(...data.items.map(({ externalId }) => externalId))
  }
  expect([found.length, new Set(found).size]).toEqual([events, events])
}, 240_000)
