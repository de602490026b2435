import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/platform/db/sqlite/sqlite.db.ts'
import { readMail } from '../../test-support/mail.ts'
import { cookieHeader, cookiesOf } from '../../test-support/portal.ts'
import { useProcesses } from '../../test-support/processes.ts'
import { type SmtpServer, startSmtp } from '../../test-support/smtp.ts'
import { until } from '../../test-support/until.ts'

const email = 'owner@example.org'
const password = 'correct horse battery'

describe('a server process that is killed while it sends an invitation', () => {
  const { run, start, at } = useProcesses()
  let smtp: SmtpServer
  beforeEach(async () => {
    smtp = await startSmtp()
  })
  afterEach(() => smtp.stop())

  const startOne = () => start({ SMTP_URL: smtp.url, BASE_URL: 'http://interviews.example.org', LOG_LEVEL: 'info' })

  /** What time would do: the lease of a process that is dead runs out. */
  const endLeases = async (): Promise<void> => {
    const db = openSqlite({ file: at('database.sqlite') })
    try {
      await db.transact((tx) => tx.run('UPDATE jobs SET lease_until = 0 WHERE lease_until IS NOT NULL'))
    } finally {
      await db.close()
    }
  }

  /** Bootstraps an organisation and invites somebody by a process that `die` ends somewhere on the way. */
  const inviteAndDie = async (die: (kill: () => void) => void) => {
    const made = run('app/admin.ts', [
      'bootstrap',
      '--org',
      'Example',
      '--email',
      email,
      '--password',
      password,
      '--json',
    ])
    expect(await made.ended).toBe(0)
    const { orgId, liveKey } = JSON.parse(made.stdout()) as { orgId: string; liveKey: string }
    const { child, url } = await startOne()
    die(() => child.process.kill('SIGKILL'))
    const { data: session } = await createClient({ baseUrl: url, token: liveKey }).call('sessions.create', { body: {} })
    const login = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const { portal_access = '' } = cookiesOf(login.headers)
    const headers = cookieHeader({ portal_access })
    const params = { orgId, id: session.id }
    const body = { email: 'candidate@example.org' }
    // The process may die before it has answered; the invitation was committed before the message was begun.
    await createClient({ baseUrl: url })
      .call('portal.invitations.create', { headers, params, body })
      .catch(() => undefined)
    await child.ended
    return { headers, params }
  }

  const tokenOf = (text: string | undefined): string => /\.(ivt_\w+)/.exec(readMail(text ?? '').text)?.[1] ?? ''

  it('after the mail server took the message: it is sent once more under the same Message-ID, and its link works', async () => {
    const { headers, params } = await inviteAndDie((kill) => smtp.onTaken(kill))
    expect(smtp.received).toHaveLength(1)
    smtp.onTaken(() => undefined)
    await endLeases()
    const { url } = await startOne()
    const api = createClient({ baseUrl: url })
    const get = async () => (await api.call('portal.scheduling.get', { headers, params })).data.invitations[0]
    await until(async () => (await get())?.delivery === 'sent')
    expect(smtp.received).toHaveLength(2)
    const [first, second] = smtp.received.map(({ text }) => readMail(text))
    expect(second?.id).toMatch(/^<job_\w+@interviews\.example\.org>$/)
    expect(second?.id).toBe(first?.id)
    expect(tokenOf(smtp.received[1]?.text)).toBe(tokenOf(smtp.received[0]?.text))
    const page = createClient({ baseUrl: url, token: tokenOf(smtp.received[0]?.text) })
    expect((await page.call('invitations.inspect')).data.session.id).toBe(params.id)
  })

  it('before the mail server got it: it is sent once, and its link works', async () => {
    const { headers, params } = await inviteAndDie((kill) => smtp.onConnected(kill))
    expect(smtp.received).toEqual([])
    smtp.onConnected(() => undefined)
    await endLeases()
    const { url } = await startOne()
    const api = createClient({ baseUrl: url })
    const get = async () => (await api.call('portal.scheduling.get', { headers, params })).data.invitations[0]
    await until(async () => (await get())?.delivery === 'sent')
    expect(smtp.received).toHaveLength(1)
    const page = createClient({ baseUrl: url, token: tokenOf(smtp.received[0]?.text) })
    expect((await page.call('invitations.inspect')).data.session.id).toBe(params.id)
  })
})
