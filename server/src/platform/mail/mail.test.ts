import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSmtp } from '../../../test/test-support/smtp.ts'
import { GiveUp } from '../give-up.ts'
import { createMail, greetMailServer, MailRefused } from './mail.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'integrity-mail-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const message = { id: 'job_1', to: ['a@example.org', 'b@example.org'], subject: 'Hello', text: 'one\ntwo' }
const from = 'Interviews <service@interviews.example.org>'
const fileMail = (outboxDir = dir) =>
  createMail({ smtpUrl: undefined, outboxDir, from, now: () => Date.parse('2026-09-04T10:00:00Z') })

describe('the outbox of mail', () => {
  it('writes each message as one .eml file with its headers and text', async () => {
    const outboxDir = path.join(dir, 'outbox')
    await fileMail(outboxDir).send(message)
    expect(await readdir(outboxDir)).toEqual(['job_1.eml'])
    const [head, body] = (await readFile(path.join(outboxDir, 'job_1.eml'), 'utf8')).split('\r\n\r\n')
    expect(head).toContain('To: a@example.org, b@example.org')
    expect(head).toContain('From: Interviews <service@interviews.example.org>')
    expect(head).toContain('Subject: Hello')
    expect(head).toContain('Message-ID: <job_1@interviews.example.org>')
    expect(head).toContain('Auto-Submitted: auto-generated')
    expect(head).toContain('Date: Fri, 04 Sep 2026 10:00:00 +0000')
    expect(body).toBe('one\r\ntwo\r\n')
  })

  it('replaces a message that is sent again under the same id', async () => {
    await fileMail().send(message)
    await fileMail().send({ ...message, text: 'second' })
    expect(await readdir(dir)).toEqual(['job_1.eml'])
  })

  it('encodes a subject beyond ASCII', async () => {
    await fileMail().send({ ...message, subject: 'Grüße' })
    const subject = /^Subject: (.*)\r$/m.exec(await readFile(path.join(dir, 'job_1.eml'), 'utf8'))?.[1]
    expect(subject).toMatch(/^=\?UTF-8\?[QB]\?[A-Za-z0-9+/=_]+\?=$/)
  })

  it('refuses a header with a line break, which would begin another header', async () => {
    const mail = fileMail()
    await expect(mail.send({ ...message, subject: 'x\r\nBcc: c@example.org' })).rejects.toThrow(TypeError)
    await expect(mail.send({ ...message, to: ['a@example.org\nBcc: c@example.org'] })).rejects.toThrow(TypeError)
    await expect(mail.send({ ...message, replyTo: 'a@example.org\rBcc: c@example.org' })).rejects.toThrow(TypeError)
    expect(await readdir(dir)).toEqual([])
  })

  it('says where an answer goes to, where that is elsewhere', async () => {
    await fileMail().send({ ...message, replyTo: 'c@example.org' })
    expect(await readFile(path.join(dir, 'job_1.eml'), 'utf8')).toMatch(/^Reply-To: c@example\.org\r$/m)
    await fileMail().send(message)
    expect(await readFile(path.join(dir, 'job_1.eml'), 'utf8')).not.toMatch(/^Reply-To/im)
  })

  const hostileNames = [
    'Harbour & Sons',
    'x\r\nBcc: c@example.org\r\n\r\nbody',
    '"ceo@bank.example" <ceo@bank.example>',
    `${'Long Name '.repeat(60)}`,
    '👩‍👩‍👧‍👦'.repeat(100),
    'साक्षात्कार और बेटे',
    '\u202emoc.elpmaxe@x',
    'broken \ud83d half',
    'a\u2028b, c; d: e',
    '=?utf-8?B?QmNjOiB4?=',
  ]
  for (const sender of hostileNames)
    it(`is sent in the name of ${JSON.stringify(sender.slice(0, 40))} by the address of the service, and has no other header for it`, async () => {
      await fileMail().send(message)
      const plain = await PostalMime.parse(await readFile(path.join(dir, 'job_1.eml')))
      await fileMail().send({ ...message, sender })
      const mail = await PostalMime.parse(await readFile(path.join(dir, 'job_1.eml')))
      expect(mail.headers.map(({ key }) => key)).toEqual(plain.headers.map(({ key }) => key))
      expect(mail.text).toBe(plain.text)
      expect(mail.from?.address).toBe('service@interviews.example.org')
      const name = mail.from?.name ?? ''
      expect(name).toMatch(/^.+ via Interviews$/u)
      expect(name.isWellFormed()).toBe(true)
      expect(name).not.toMatch(/[<>@"\p{Cc}\u2028\u202e]/u)
      expect([...new Intl.Segmenter('en').segment(name)].length).toBeLessThanOrEqual(60 + ' via Interviews'.length)
    })

  it('is sent by the service itself where there is no name, or only signs that are none', async () => {
    for (const sender of [undefined, '', ' \r\n ', '<@>']) {
      await fileMail().send({ ...message, sender })
      const head = await readFile(path.join(dir, 'job_1.eml'), 'utf8')
      expect(head).toContain('From: Interviews <service@interviews.example.org>')
    }
  })

  it('names the sender alone where the service has an address and no name', async () => {
    const mail = createMail({ smtpUrl: undefined, outboxDir: dir, from: 'service@interviews.example.org' })
    await mail.send({ ...message, sender: 'Harbour' })
    const { from: read } = await PostalMime.parse(await readFile(path.join(dir, 'job_1.eml')))
    expect(read).toEqual({ name: 'Harbour', address: 'service@interviews.example.org' })
  })

  it('takes an address for one address, whatever is in it', async () => {
    await fileMail().send({ ...message, to: ['a@example.org, c@example.org'] })
    const text = await readFile(path.join(dir, 'job_1.eml'), 'utf8')
    expect(/^To: (.*)\r$/m.exec(text)?.[1]).not.toMatch(/^a@example\.org, c@example\.org$/)
  })

  it('never lets an id name a file outside', async () => {
    await fileMail().send({ ...message, id: '../../escape' })
    expect(await readdir(dir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.eml$/)])
  })
})

describe('a mail server', () => {
  it('is given each message with its recipients, and nothing is written to the outbox', async () => {
    const smtp = await startSmtp()
    const mail = createMail({ smtpUrl: smtp.url, outboxDir: dir, from })
    await mail.send(message)
    mail.close()
    await smtp.stop()
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]?.to).toEqual(message.to)
    expect(smtp.received[0]?.text).toContain('Message-ID: <job_1@interviews.example.org>')
    expect(await readdir(dir)).toEqual([])
  })

  it('that refuses or is not there makes the sending fail, so that its job tries again', async () => {
    const smtp = await startSmtp(451)
    const refused = createMail({ smtpUrl: smtp.url, outboxDir: dir, from })
    await expect(refused.send(message)).rejects.toThrow()
    refused.close()
    await smtp.stop()
    const gone = createMail({ smtpUrl: smtp.url, outboxDir: dir, from })
    await expect(gone.send(message)).rejects.toThrow()
    gone.close()
  })

  it('that refuses for good is told from one that does so for now, and its words are left out', async () => {
    const smtp = await startSmtp(550)
    const mail = createMail({ smtpUrl: smtp.url, outboxDir: dir, from })
    const failure = await mail.send(message).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MailRefused)
    expect(failure).toBeInstanceOf(GiveUp)
    expect(String(failure)).toBe('MailRefused: the mail server refuses the message for good (550)')
    smtp.refuse(451)
    await expect(mail.send(message)).rejects.not.toBeInstanceOf(GiveUp)
    mail.close()
    await smtp.stop()
    await expect(mail.send(message)).rejects.not.toBeInstanceOf(GiveUp)
  })

  it('elsewhere is not given a password without encryption', async () => {
    const smtp = await startSmtp()
    const url = smtp.url.replace('smtp://127.0.0.1', 'smtp://user:secret@0.0.0.0')
    const mail = createMail({ smtpUrl: url, outboxDir: dir, from })
    await expect(mail.send(message)).rejects.toThrow()
    mail.close()
    await smtp.stop()
    expect(smtp.received).toEqual([])
  })

  it('that talks on and takes nothing is left after a while, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    let lines = 0
    const server = createServer((socket) => {
      socket.write('220 here\r\n')
      // One more line of an answer that never ends: it is not silent for a moment.
      const timer = setInterval(() => socket.write(`250-${++lines}\r\n`), 20)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(timer)
        closed.resolve()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const mail = createMail({ smtpUrl, outboxDir: dir, from, totalMs: 500 })
    const failure: unknown = await mail.send(message).catch((error: unknown) => error)
    expect(String(failure)).toBe('Error: the mail server did not take the message within 0.5 s')
    expect(failure).not.toBeInstanceOf(GiveUp)
    await closed.promise
    expect(lines).toBeGreaterThan(0)
    mail.close()
    await expect(greetMailServer(smtpUrl, 500)).rejects.toThrow(
      'the mail server did not let this service in within 0.5 s',
    )
    server.close()
  })
})
