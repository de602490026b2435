import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMail, mailWarning } from './mail.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'integrity-mail-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const message = { id: 'job_1', to: ['a@example.org', 'b@example.org'], subject: 'Hello', text: 'one\ntwo' }

describe('the outbox of mail', () => {
  it('writes each message as one .eml file with its headers and text', async () => {
    const outboxDir = path.join(dir, 'outbox')
    const mail = createMail({ outboxDir, now: () => Date.parse('2026-09-04T10:00:00Z') })
    await mail.send(message)
    expect(await readdir(outboxDir)).toEqual(['job_1.eml'])
    const [head, body] = (await readFile(path.join(outboxDir, 'job_1.eml'), 'utf8')).split('\r\n\r\n')
    expect(head).toContain('To: a@example.org, b@example.org')
    expect(head).toContain('Subject: Hello')
    expect(head).toContain('Date: Fri, 04 Sep 2026 10:00:00 +0000')
    expect(Buffer.from(body ?? '', 'base64').toString('utf8')).toBe('one\r\ntwo')
  })

  it('replaces a message that is sent again under the same id', async () => {
    const mail = createMail({ outboxDir: dir })
    await mail.send(message)
    await mail.send({ ...message, text: 'second' })
    expect(await readdir(dir)).toEqual(['job_1.eml'])
  })

  it('encodes a subject beyond ASCII', async () => {
    await createMail({ outboxDir: dir }).send({ ...message, subject: 'Grüße' })
    const subject = /^Subject: (.*)\r$/m.exec(await readFile(path.join(dir, 'job_1.eml'), 'utf8'))?.[1]
    expect(subject).toBe('=?utf-8?B?R3LDvMOfZQ==?=')
  })

  it('refuses a header with a line break, which would begin another header', async () => {
    const mail = createMail({ outboxDir: dir })
    await expect(mail.send({ ...message, subject: 'x\r\nBcc: c@example.org' })).rejects.toThrow(TypeError)
    await expect(mail.send({ ...message, to: ['a@example.org\nBcc: c@example.org'] })).rejects.toThrow(TypeError)
    expect(await readdir(dir)).toEqual([])
  })

  it('never lets an id name a file outside', async () => {
    await createMail({ outboxDir: dir }).send({ ...message, id: '../../escape' })
    expect(await readdir(dir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.eml$/)])
  })

  it('says at start that a configured mail server is not used', () => {
    expect(mailWarning(undefined, dir)).toBeUndefined()
    expect(mailWarning('smtp://mail.example.org', dir)).toContain('not supported yet')
  })
})
