import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { checkpointKey, checkpointVerifierKey } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { createKeyring } from '../../../src/platform/crypto/keyring.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { startWitness, type WitnessDouble } from './witness-double.test-support.ts'

const day = 24 * 3_600_000

describeEachDatabase('checkpoints that leave the house', (_open, engine) => {
  let server: TestServer
  let witness: WitnessDouble
  let orgId: string
  const headers = () => portalCookie(server, 'owner')
  const set = async (body: object) =>
    (
      await server
        .client()
        .call('portal.witnesses.set', { params: { orgId }, headers: await headers(), body: body as never })
    ).data
  const state = async () =>
    (await server.client().call('portal.witnesses.get', { params: { orgId }, headers: await headers() })).data
  const off = { mail: false, webhook: false, witness: null }
  const asks = () => ({ ...off, witness: { url: witness.url, verifierKey: witness.verifierKey } })
  const mails = async () => (await readOutbox(server)).filter(({ subject }) => subject.includes('Checkpoint'))
  const events = async () => {
    const { data } = await server
      .client(server.orgs[0].liveKey)
      .call('events.list', { query: { types: 'audit.checkpoint' } as never })
    return data.items
  }
  /** A day passes; the checkpoints are signed, and sent. */
  const pass = async (ms = day) => {
    server.clock.advance(ms)
    await server.processAll()
  }

  beforeAll(async () => {
    server = await startServer({ engine })
    orgId = server.orgs[0].orgId
    const { publicKey } = checkpointKey(server.app.keyring)
    witness = await startWitness(orgId, checkpointVerifierKey(publicKey, orgId, 'tree'))
  })
  afterAll(async () => {
    await witness.stop()
    await server.stop()
  })

  it('go nowhere until somebody chose so', async () => {
    await pass()
    expect(await state()).toEqual({ ...off, version: 0, mailed: null, published: null, cosigned: null, problem: null })
    expect([await mails(), await events(), witness.bodies]).toEqual([[], [], []])
  })

  it('are cosigned by a witness, each with the proof that the trail only grew, and kept with its signature', async () => {
    await set(asks())
    await pass()
    const first = await state()
    expect(first.problem).toBeNull()
    expect(first.cosigned?.rows).toBe(witness.seen.size)
    expect(first.cosigned?.checkpoint).toMatch(
      /^interview-integrity\/audit-tree\/.*\n\n\u2014 .*\n\u2014 witness\.example\/1 .*\n$/s,
    )
    // Nothing new: nothing is asked.
    const asked = witness.bodies.length
    await set(asks())
    await pass()
    const second = await state()
    expect(second.cosigned!.rows).toBeGreaterThan(first.cosigned!.rows)
    expect(witness.bodies).toHaveLength(asked + 1)
    expect(witness.bodies.at(-1)).toMatch(new RegExp(`^old ${first.cosigned!.rows}\n(?:[A-Za-z0-9+/=]+\n)+\n`))
    await pass()
    expect(witness.bodies.length).toBeLessThanOrEqual(asked + 2)
    // What it cosigned holds the trail, with the operator's own tool.
    const file = join(server.app.config.dataDir, 'cosigned')
    await writeFile(file, second.cosigned!.checkpoint)
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const { dataDir, databaseUrl } = server.app.config
    const env = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const args = ['audit', 'verify', '--org', orgId, '--against', file]
    expect(await runAdmin(args, { env, stdout: { write }, stderr: { write } }), said).toBe(0)
  })

  it('say which faults a witness finds, and go on when it is well again', async () => {
    const problemAfter = async (answer: WitnessDouble['answer']) => {
      witness.answer = answer
      await set({ ...asks(), mail: false })
      await pass()
      return (await state()).problem
    }
    const { rows } = (await state()).cosigned!
    expect(await problemAfter(() => ({ status: 404, text: '' }))).toMatch(/does not know this trail/)
    expect(await problemAfter(() => ({ status: 422, text: '' }))).toMatch(/does not continue/)
    expect(await problemAfter(() => ({ status: 409, text: '9999999\n' }))).toMatch(/9999999 rows.*cut or set back/)
    expect(await problemAfter(() => ({ status: 200, text: 'thanks' }))).toMatch(/no cosignature of its key/)
    expect(await problemAfter((line) => ({ status: 200, text: line.replace(/.(?=.{9}$)/, 'A') }))).toMatch(/no cosign/)
    expect(await problemAfter(() => ({ status: 302, text: '' }))).toMatch(/answered 302/)
    expect((await state()).cosigned?.rows).toBe(rows)
    // It cosigned more meanwhile than was noted here: it says so, and is asked from there on.
    expect(await problemAfter(undefined)).toBeNull()
    expect((await state()).cosigned!.rows).toBeGreaterThan(rows)
  })

  it('are mailed once a day to those who may read the trail, and published with every one that was signed', async () => {
    await set({ ...off, mail: true, webhook: true })
    await pass()
    const [letter] = await mails()
    const { mailed, published } = await state()
    expect(letter?.text).toContain(`interview-integrity/audit/${orgId}\n${mailed!.rows}\n`)
    const [event] = await events()
    expect(event?.data).toMatchObject({ rows: published!.rows, verifierKey: expect.stringContaining(orgId) as string })
    expect(letter?.text).toContain((event!.data as unknown as { checkpoint: string }).checkpoint)
    const before = { mails: (await mails()).length, events: (await events()).length }
    await set({ ...off, mail: true, webhook: true })
    await pass(2 * 3_600_000)
    expect({ mails: (await mails()).length, events: (await events()).length }).toEqual({
      mails: before.mails,
      events: before.events + 1,
    })
  })

  it('take no witness that cannot be one', async () => {
    const good = asks().witness
    const strange = `x+00000000+${Buffer.alloc(33, 4).toString('base64')}`
    for (const [change, path] of [
      [{ url: 'http://a:b@127.0.0.1/' }, 'witness.url'],
      [{ url: `${witness.url}?x=1` }, 'witness.url'],
      [{ url: 'ftp://witness.example/' }, 'witness.url'],
      [{ verifierKey: 'x' }, 'witness.verifierKey'],
      [{ verifierKey: strange }, 'witness.verifierKey'],
      // Our own key signs checkpoints, it cosigns none.
      [
        { verifierKey: checkpointVerifierKey(checkpointKey(createKeyring(Buffer.alloc(32))).publicKey, orgId) },
        'witness.verifierKey',
      ],
    ] as const)
      expect(await refusalOf(set({ ...off, witness: { ...good, ...change } }))).toMatchObject({
        status: 400,
        details: [{ path }],
      })
  })
})
