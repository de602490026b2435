import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxOwnRecipients } from '@integrity/protocol'
import { afterAll, expect, it } from 'vitest'
import { orgIdentity } from '../../../src/domains/organisation/orgs/orgs.service.ts'
import { openFile } from '../../../src/platform/crypto/age-file.ts'
import { countRecipients } from '../../../src/platform/crypto/age-header.ts'
import { generateIdentity, parseIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { encodeBech32 } from '../../../src/platform/crypto/bech32.ts'
import {
  auditOf,
  buildCaptureSession,
  type CaptureSession,
  picture,
  sendStill,
} from '../../test-support/capture-session.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { unzip } from '../../test-support/zips.ts'
import { fetchBytes } from '../bundles/bundles.test-support.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describePeople } from '../people/people.test-support.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'

const folder = mkdtempSync(join(tmpdir(), 'recipients-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A customer's keys as Debian's `age-keygen` makes them, and its `age -d`, which knows nothing of this service. */
const customer = () => {
  const made = execFileSync('age-keygen', { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  const identity = parseIdentity(/^AGE-SECRET-KEY-.*$/m.exec(made)?.[0] ?? '')
  const file = join(folder, `${identity.recipient}.txt`)
  writeFileSync(file, made, { mode: 0o600 })
  const open = (sealed: Buffer): Buffer =>
    execFileSync('age', ['-d', '-i', file], { input: sealed, maxBuffer: 1 << 24, stdio: ['pipe', 'pipe', 'pipe'] })
  return { identity, recipient: identity.recipient, open }
}

describePeople('recipients of an own', (t) => {
  const params = () => ({ orgId: t.orgId })
  const list = async () => (await asMember(t.server, 'portal.recipients.list', { params: params() })).items
  const add = (recipient: string, label = 'Key of the safe') =>
    asMember(t.server, 'portal.recipients.add', { params: params(), body: { recipient, label } })
  const remove = (recipientId: string) =>
    asMember(t.server, 'portal.recipients.remove', { params: { ...params(), recipientId } })
  const removeAll = async () => {
    for (const { id } of await list()) await remove(id)
  }
  const inForce = async () => (await list()).filter(({ removedAt }) => removedAt === null).length
  const byKey = (headers = {}) => ({ authorization: `Bearer ${t.server.orgs[0].sandboxKey}`, ...headers })
  const sealed = (id: string, headers = {}) =>
    fetchBytes(t.server, 'evidence.sealed', { params: { id }, headers: byKey(headers) })
  const store = async (s: CaptureSession) => {
    const bytes = await picture()
    return { id: (await sendStill(t.server, s, { bytes })).data.id, bytes }
  }
  const opensWith = async ({ open }: ReturnType<typeof customer>, { id, bytes }: { id: string; bytes: Buffer }) =>
    open((await sealed(id)).bytes).equals(bytes)

  it("Debian's age opens with the customer's identity what was stored after it was added", async () => {
    const theirs = customer()
    const s = await buildCaptureSession(t.server)
    const before = await store(s)
    const row = await add(theirs.recipient)
    expect(row).toMatchObject({ recipient: theirs.recipient, label: 'Key of the safe', removedAt: null })
    const after = await store(s)
    const { status, bytes, headers } = await sealed(after.id)
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(headers['content-disposition']).toMatch(/\.webp\.age"$/)
    expect(theirs.open(bytes).equals(after.bytes)).toBe(true)
    expect(() => customer().open(bytes)).toThrow()
    expect((await sealed(before.id)).status).toBe(409)
    const read = (await auditOf(t.server, s)).filter(({ target }) => target === after.id).at(-1)
    expect(read).toMatchObject({ action: 'evidence.downloaded', payload: { sealed: true, start: 0 } })
    await removeAll()
  })

  it('what came in parts opens as well, and a download goes on where it broke off', async () => {
    const theirs = customer()
    await add(theirs.recipient)
    const s = await buildCaptureSession(t.server)
    const uploads = uploadsOf(() => t.server)
    const item = uploads.buildItem()
    const { data } = await uploads.complete(s, await uploads.sendAll(s, item, [2, 0, 1]))
    const { id } = data
    const whole = await sealed(id)
    expect(theirs.open(whole.bytes).equals(item.bytes)).toBe(true)
    for (const at of [1, 150, whole.bytes.length - 5]) {
      const [first, rest] = [
        await sealed(id, { range: `bytes=0-${at - 1}` }),
        await sealed(id, { range: `bytes=${at}-`, 'if-range': String(whole.headers['etag']) }),
      ]
      expect([first.status, rest.status]).toEqual([206, 206])
      expect(Buffer.concat([first.bytes, rest.bytes]).equals(whole.bytes)).toBe(true)
    }
    await removeAll()
  })

  it('each of several opens it, one that was removed nothing newer, and a new one nothing older but a bundle', async () => {
    const [first, second, third] = [customer(), customer(), customer()]
    const s = await buildCaptureSession(t.server)
    const { id } = await add(first.recipient)
    await add(second.recipient)
    const old = await store(s)
    const gone = await remove(id)
    expect(gone.removedAt).not.toBeNull()
    expect(await remove(id)).toEqual(gone)
    await add(third.recipient)
    const young = await store(s)
    for (const [who, what] of [
      [first, old],
      [second, old],
      [second, young],
      [third, young],
    ] as const)
      expect(await opensWith(who, what)).toBe(true)
    await expect(opensWith(first, young)).rejects.toThrow('no identity matched')
    await expect(opensWith(third, old)).rejects.toThrow('no identity matched')
    const query = { recipients: third.recipient, evidence: 'screenshot' }
    const raw = { params: { id: s.id }, headers: byKey(), query }
    const members = unzip((await fetchBytes(t.server, 'sessions.bundle', raw)).bytes)
    const opened = [...members].filter(([path]) => path.endsWith('.age')).map(([, file]) => third.open(file))
    for (const { bytes } of [old, young]) expect(opened.some((one) => one.equals(bytes))).toBe(true)
    await removeAll()
  })

  it('everything that is kept of a session is sealed to it, what is built of it later too', async () => {
    await add(customer().recipient)
    const s = await buildCaptureSession(t.server)
    await store(s)
    await fetchBytes(t.server, 'sessions.bundle', { params: { id: s.id }, headers: byKey(), query: {} })
    const { reader } = t.server.app.db
    const kept = await reader.all<{ header: string; storeKey: string }>(
      `SELECT o.header, o.store_key AS "storeKey" FROM evidence e
         JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id WHERE e.session_id = ?
       UNION ALL SELECT header, store_key FROM bundles WHERE session_id = ?`,
      [s.id, s.id],
    )
    expect(kept).toHaveLength(2)
    for (const { header, storeKey } of kept) {
      const place = { orgId: s.orgId, sessionId: s.id, storeKey }
      expect(countRecipients(await t.server.app.sessionKeys.open(reader, place, header))).toBe(2)
    }
    await removeAll()
  })

  it('an erased object opens with nothing that is kept here, and a copy that was fetched before with their identity', async () => {
    const theirs = customer()
    await add(theirs.recipient)
    const s = await buildCaptureSession(t.server)
    const { id, bytes } = await store(s)
    const copy = (await sealed(id)).bytes
    const { reader } = t.server.app.db
    const row = await reader.get<{ header: string; storeKey: string }>(
      `SELECT o.header, o.store_key AS "storeKey" FROM evidence e
         JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id WHERE e.evidence_id = ?`,
      [id],
    )
    const { header = '', storeKey = '' } = row ?? {}
    const stored = await t.server.app.store.open(storeKey)
    const payload = Buffer.from(await stored.read(0, stored.size))
    await stored.close()
    await s.api.call('sessions.end', { params: { id: s.id } })
    await s.api.call('sessions.erase', { params: { id: s.id } })
    await t.server.processAll()
    expect((await sealed(id)).status).toBe(404)
    const place = { orgId: s.orgId, sessionId: s.id, storeKey }
    await expect(t.server.app.sessionKeys.open(reader, place, header)).rejects.toMatchObject({
      code: 'no_matching_identity',
    })
    // What a thief of a backup has: both identities, the sealed header as it lay in the row, and the bytes.
    const identities = [theirs.identity, await orgIdentity({ ...t.server.app, reader }, s.orgId)]
    for (const file of [payload, Buffer.concat([Buffer.from(header), payload])]) {
      const opening = async () => {
        for await (const _ of openFile(pieces(file), identities));
      }
      await expect(opening()).rejects.toMatchObject({ code: 'malformed_header' })
      expect(() => theirs.open(file)).toThrow()
    }
    expect(theirs.open(copy).equals(bytes)).toBe(true)
    await removeAll()
  })

  it('of many who add at once as many stay as there may be, and of one twice one', async () => {
    const many = await Promise.allSettled(Array.from({ length: 12 }, () => add(generateIdentity().recipient)))
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxOwnRecipients)
    expect(await inForce()).toBe(maxOwnRecipients)
    expect(await refusalOf(add(generateIdentity().recipient))).toMatchObject({ status: 409 })
    await removeAll()
    const { recipient } = generateIdentity()
    const twice = await Promise.allSettled([add(recipient), add(recipient), add(recipient)])
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await removeAll()
    // Once removed it can come back, with a time of its own.
    expect((await add(recipient)).removedAt).toBeNull()
    await removeAll()
  })

  it.each([
    ['an identity', generateIdentity().identityText],
    ['a letter that is wrong', `${generateIdentity().recipient.slice(0, -1)}b`.replace(/bb$/, 'pb')],
    ['a point that nothing can be sealed to', encodeBech32('age', Buffer.alloc(32))],
    ['a key of another kind', `ssh-ed25519 ${'A'.repeat(60)}`],
    ['two at once', `${generateIdentity().recipient}\n${generateIdentity().recipient}`],
  ])('refuses %s', async (_, recipient) => {
    expect(await refusalOf(add(recipient))).toMatchObject({ status: 400, details: [{ path: 'recipient' }] })
    expect(await inForce()).toBe(0)
  })

  it("refuses the organisation's key of this service, and a label of two lines", async () => {
    const org = await t.server.app.db.reader.get<{ recipient: string }>('SELECT recipient FROM orgs WHERE org_id = ?', [
      t.orgId,
    ])
    expect(await refusalOf(add(org?.recipient ?? ''))).toMatchObject({ status: 409 })
    expect(await refusalOf(add(generateIdentity().recipient, 'a\nb'))).toMatchObject({ status: 400 })
  })

  it('is said to whoever asks what happens to the data', async () => {
    const ask = () => asMember(t.server, 'portal.compliance.dataProcessing', { params: params() })
    expect((await ask()).ownRecipients).toEqual([])
    const { label, addedAt } = await add(generateIdentity().recipient, 'Board')
    expect((await ask()).ownRecipients).toEqual([{ label, since: addedAt }])
    await removeAll()
    expect((await ask()).ownRecipients).toEqual([])
  })
})

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
