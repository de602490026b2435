import { describe, expect, it } from 'vitest'
import { createHttpOut } from '../../../src/platform/http-out/http-out.ts'
import { signAzure } from '../../../src/platform/storage/remote/azure.signature.ts'
import { azuriteProgram, startAzurite } from '../../test-support/azurite.ts'
import { buildCaptureSession, sendStill, storedFiles } from '../../test-support/capture-session.ts'
import { startServer } from '../../test-support/server.ts'
import { opens, type PutBody, storageOf } from './storage.test-support.ts'

describe.skipIf(azuriteProgram === undefined)('storage in Azure', () => {
  it('takes what lay here, and gives it back', async () => {
    const azurite = await startAzurite(azuriteProgram ?? '')
    const server = await startServer()
    const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
    try {
      const { endpoint, account, key } = azurite
      const url = new URL(`${endpoint}/evidence?restype=container`)
      const headers = signAzure({ method: 'PUT', url, headers: { 'content-length': '0' } }, azurite, Date.now())
      await (await http.request(url.href, { method: 'PUT', headers, silenceMs: 60_000 })).body.dump()
      const storage = storageOf(server)
      const session = await buildCaptureSession(server)
      const { data: early } = await sendStill(server, session)
      const body: PutBody = { provider: 'azure', account, container: 'evidence', key, endpoint, prefix: 'a/b' }
      const chosen = await storage.put(body)
      expect(chosen).toMatchObject({ provider: 'azure', account, container: 'evidence', prefix: 'a/b/' })
      expect(JSON.stringify(chosen)).not.toContain(key)
      const { data: late } = await sendStill(server, session)
      expect(await storage.migrate()).toEqual({ state: 'completed', moved: 1, remaining: 0, failed: [] })
      expect(await storedFiles(server, 'objects')).toEqual([])
      for (const still of [early, late]) expect(await opens(server, session, still)).toBe(true)
      await storage.put({ provider: 'local' })
      expect(await storage.migrate()).toMatchObject({ state: 'completed', moved: 2 })
      expect((await storedFiles(server, 'objects')).length).toBe(2)
      for (const still of [early, late]) expect(await opens(server, session, still)).toBe(true)
    } finally {
      await http.close()
      await server.stop()
      await azurite.stop()
    }
  })
})
