import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fileKeyStore } from '../spool/key-store.ts'
import { Spool } from '../spool/spool.ts'
import { RecordKeeper } from './record-keeper.ts'
import { initialSession } from './session-machine.ts'
import type { SessionState } from './session-machine.types.ts'
import { consentDocument } from './test-support/session-service.ts'

let dir: string
let spool: Spool
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'record-'))
  spool = await Spool.open({ dir, keyStore: fileKeyStore(dir) })
})
afterEach(async () => {
  await spool.close()
  await rm(dir, { recursive: true, force: true })
})

const buildKeeper = (): RecordKeeper => {
  const keeper = new RecordKeeper(spool)
  keeper.replace({
    server: 'https://interviews.example',
    token: 'sst_1',
    sessionId: 'ses_1',
    document: consentDocument as never,
    state: { ...initialSession },
  })
  return keeper
}
const state = (over: Partial<SessionState>): SessionState => ({ ...initialSession, ...over })
const kept = async () => (await readdir(dir)).filter((name) => name.endsWith('.sealed'))

it('keeps the token for as long as the session goes on', async () => {
  const keeper = buildKeeper()
  await keeper.save(state({ phase: 'finishing', endKnown: true }), 12.6)
  expect(await RecordKeeper.saved(spool)).toMatchObject({
    token: 'sst_1',
    clockAheadMs: 13,
    state: { phase: 'finishing' },
  })
})

it.each([
  ['is over', state({ phase: 'done' })],
  ['was refused, as the service knows', state({ phase: 'refused', endKnown: true })],
])('forgets the token on the disk when the session %s', async (_title, over) => {
  const keeper = buildKeeper()
  await keeper.save(state({ phase: 'consenting' }), 0)
  expect(await kept()).toEqual(['session.sealed'])
  await keeper.save(over, 0)
  expect(await kept()).toEqual([])
})

it('keeps a refusal that the service has not heard of, with what tells it', async () => {
  const keeper = buildKeeper()
  await keeper.save(state({ phase: 'refused' }), 0)
  expect(await RecordKeeper.saved(spool)).toMatchObject({ token: 'sst_1', state: { phase: 'refused' } })
})

it('shows what it holds without the token', () => {
  const keeper = buildKeeper()
  expect(JSON.stringify(keeper.current)).toContain('sst_1')
  expect(JSON.stringify(keeper.view())).not.toContain('sst_1')
  expect(keeper.view()).toMatchObject({ sessionId: 'ses_1' })
})
