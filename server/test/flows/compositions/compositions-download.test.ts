import { readFile } from 'node:fs/promises'
import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sign } from '../../../src/platform/crypto/signed-token.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { auditOf, refusal, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { compositionsOf, refusalWords } from './compositions.test-support.ts'
import { buildFilmable } from './film-session.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const { idOf, params, read, render, link, ready } = compositionsOf(() => server)

  describe('compositions.content', () => {
    it('is an attachment, whole or in one range, and HEAD gives its headers', async () => {
      const s = await ready()
      const url = await link(s)
      const whole = await bytesOf(url)
      const { sizeBytes, integrity } = await read(s)
      expect(whole.status).toBe(200)
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'video/mp4',
        'content-length': String(sizeBytes),
        'content-disposition': `attachment; filename="composition-${idOf(s)}.mp4"`,
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        etag: `"${integrity?.outputSha256}"`,
      })
      const part = await bytesOf(url, { range: 'bytes=65530-65545' })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 65530-65545/${sizeBytes}`])
      expect(part.bytes.equals(whole.bytes.subarray(65_530, 65_546))).toBe(true)
      const beyond = await bytesOf(url, { range: `bytes=${sizeBytes}-` })
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${sizeBytes}`])
      const etag = whole.headers.get('etag') ?? ''
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
      const head = await fetch(url, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(sizeBytes)])
      const trail = await auditOf(server, s)
      expect(trail.map(({ action }) => action)).toContain('composition.download_link_created')
      expect(trail.filter(({ action }) => action === 'composition.downloaded')[1]).toEqual({
        action: 'composition.downloaded',
        target: idOf(s),
        actor: 'download',
        payload: { start: 65_530, end: 65_546, sizeBytes },
      })
    })

    it('lies sealed on the disk', async () => {
      const before = new Set(await storedFiles(server, 'objects'))
      const s = await ready()
      const film = (await bytesOf(await link(s))).bytes
      const added = (await storedFiles(server, 'objects')).filter((file) => !before.has(file))
      const contents = await Promise.all(added.map((file) => readFile(file)))
      expect(contents.some((content) => content.length > film.length)).toBe(true)
      expect(contents.some((content) => content.includes(film.subarray(0, 16)))).toBe(false)
    })

    it('refuses a link that is a moment too old, of another composition, and of another kind of thing', async () => {
      const [s, other] = [await ready(), await ready()]
      const url = await link(s)
      const token = new URL(url).searchParams.get('token') ?? ''
      const at = (id: string, what = 'compositions') => `${server.url}/v1/api/${what}/${id}/content?token=${token}`
      expect((await bytesOf(at(idOf(other)))).status).toBe(404)
      const { items } = (await s.api.call('sessions.evidence.list', { params: { id: s.id } })).data
      expect((await bytesOf(at(items[0]!.id, 'evidence'))).status).toBe(401)
      const { data } = await s.api.call('evidence.downloadUrl', { params: { id: items[0]!.id } })
      const evidenceToken = new URL(data.url).searchParams.get('token') ?? ''
      const path = `${server.url}/v1/api/compositions/${idOf(s)}/content`
      expect((await bytesOf(`${path}?token=${evidenceToken}`)).status).toBe(401)
      const expiresAt = server.clock.now() + 60_000
      const grant = { objectId: idOf(s), orgId: server.orgs[1].orgId, expiresAt, kind: 'composition:sandbox' }
      expect((await bytesOf(`${path}?token=${sign(grant, server.app.downloadKey)}`)).status).toBe(404)
      expect((await bytesOf(path)).status).toBe(401)
      server.clock.advance(5 * 60_000 - 1)
      expect((await bytesOf(url)).status).toBe(200)
      server.clock.advance(1)
      expect((await bytesOf(url)).status).toBe(401)
    })

    it('and a link to it are refused before there is a film, with what to do', async () => {
      const s = await buildFilmable(server)
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: .*never rendered; ask for a render/)
      await render(s)
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: .*being rendered/)
      await server.processAll()
      expect((await bytesOf(await link(s))).status).toBe(200)
    })
  })

  describe('another organisation, the other environment and another session', () => {
    it('find nothing', async () => {
      const s = await ready()
      for (const key of [server.orgs[1].sandboxKey, server.orgs[0].liveKey]) {
        const stranger = server.client(key)
        const calls = [
          () => stranger.call('sessions.compositions.list', { params: { id: s.id } }),
          () => stranger.call('compositions.get', { params: params(s) }),
          () => stranger.call('compositions.render', { params: params(s) }),
          () => stranger.call('compositions.downloadUrl', { params: params(s) }),
        ]
        for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404, code: 'not_found' })
      }
      for (const id of [s.id, 'cmp_', 'cmp_00000000000000000000000000', s.id.replace('ses_', 'evd_')])
        expect(await refusal(s.api.call('compositions.get', { params: { id } }))).toMatchObject({ status: 404 })
    })
  })

  describe('portal', () => {
    it('lets reviewers see it, and who may take evidence out render and download it', async () => {
      const s = await buildFilmable(server)
      const portal = createClient({ baseUrl: server.url })
      const reviewer = { headers: await portalCookie(server, 'reviewer') }
      const path = { id: s.id, compositionId: idOf(s) }
      const { data } = await portal.call('portal.compositions.list', { params: { id: s.id }, ...reviewer })
      expect(data).toMatchObject({ total: 1, items: [{ id: idOf(s), status: 'not_rendered' }] })
      expect((await portal.call('portal.compositions.render', { params: path, ...reviewer })).status).toBe(202)
      await server.processAll()
      const film = await portal.call('portal.compositions.content', { params: path, ...reviewer })
      expect(Buffer.from(await film.data.arrayBuffer()).equals((await bytesOf(await link(s))).bytes)).toBe(true)
      expect((await auditOf(server, s)).filter(({ action }) => action === 'composition.downloaded')[0]).toMatchObject({
        actor: 'user',
      })
      const interviewer = { headers: await portalCookie(server, 'interviewer') }
      const refused = await Promise.all([
        refusal(portal.call('portal.compositions.list', { params: { id: s.id }, ...interviewer })),
        refusal(portal.call('portal.compositions.render', { params: path, ...interviewer })),
        refusal(portal.call('portal.compositions.content', { params: path, ...interviewer })),
      ])
      for (const error of refused) expect(error).toMatchObject({ status: 403 })
    })

    it("finds no composition under another session's path", async () => {
      const [s, other] = [await ready(), await ready()]
      const portal = createClient({ baseUrl: server.url })
      const asked = {
        params: { id: other.id, compositionId: idOf(s) },
        headers: await portalCookie(server, 'reviewer'),
      }
      expect(await refusal(portal.call('portal.compositions.render', asked))).toMatchObject({ status: 404 })
      expect(await refusal(portal.call('portal.compositions.content', asked))).toMatchObject({ status: 404 })
    })
  })
}

for (const engine of enginesInTurn(import.meta.filename)) describe(`compositions (${engine})`, () => flows(engine))
