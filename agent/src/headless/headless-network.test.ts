import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../test/test-support/until.ts'
import { ScriptedCapture, ScriptedObservers } from '../core/session/test-support/scripted-capture.ts'
import { SessionService } from '../core/session/test-support/session-service.ts'
import { findProgram } from '../shared/child-process.ts'
import { systemClock } from '../shared/clock.ts'
import { parsePublicKey } from '../trust/minisign/minisign.ts'
import { startDocumentService } from '../trust/minisign/test-support/document-service.ts'
import { buildManifest, buildPolicy } from '../trust/minisign/test-support/documents.ts'
import { makeSigner } from '../trust/minisign/test-support/signer.ts'
import { type Certificate, makeCertificate } from '../trust/pinning/test-support/certificates.ts'
import { exitCodes, runHeadless } from './run-headless.ts'

const signer = makeSigner()
const otherPin = `${'A'.repeat(43)}=`

describe.skipIf(findProgram('openssl') === undefined)('the headless agent in a build with release keys', () => {
  let folder: string
  let authority: Certificate
  let certificate: Certificate
  let data: string
  let service: SessionService
  let url: string
  let joins: number
  const cleanups: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headless-network-'))
    authority = await makeCertificate(folder, { name: 'Test authority', isAuthority: true })
    certificate = await makeCertificate(folder, { name: 'localhost', by: authority })
  })
  beforeEach(async () => {
    data = await mkdtemp(join(folder, 'data-'))
    service = new SessionService()
    joins = 0
    const { key, cert } = certificate
    const server = createServer({ key, cert }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { url: path = '', method = '', headers } = request
        if (path === '/v1/sessions/join') joins += 1
        const answer = service.handle({ path, method, headers, body: Buffer.concat(chunks) })
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
        response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    url = `https://localhost:${(server.address() as AddressInfo).port}`
    cleanups.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    })
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** What an earlier run has kept of the service's signed policy. */
  const keepPolicy = async (pin: string): Promise<void> => {
    const pinning = { enforced: true, pins: [{ host: 'localhost', spkiSha256: [pin] }] }
    const document = JSON.stringify(buildPolicy(systemClock, { pinning }))
    const own = join(data, 'updates', createHash('sha256').update(url).digest('hex').slice(0, 16))
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'security-policy.json'), JSON.stringify({ document, signature: signer.sign(document) }))
  }

  const run = (server = url) => {
    const output = new PassThrough().setEncoding('utf8')
    let text = ''
    output.on('data', (line: string) => {
      text += line
    })
    const capture = new ScriptedCapture(systemClock)
    const stop = new AbortController()
    const exit = runHeadless(['--data', data, '--server', server, '--join', 'K7QF2M9X', '--yes-consent'], {
      input: new PassThrough(),
      output,
      stop: stop.signal,
      leave: new AbortController().signal,
      capture,
      observers: new ScriptedObservers(),
      version: '1.0.0',
      openLive: () => ({ start: () => undefined, stop: async () => undefined }),
      releaseKeys: [parsePublicKey(signer.publicKey)],
      ca: authority.cert,
    })
    return { exit, stop: () => stop.abort(), capture, text: () => text }
  }

  it('records with a service whose certificate is the pinned one', async () => {
    await keepPolicy(certificate.pin)
    const agent = run()
    await until('the recording', () => agent.capture.running.length > 0)
    agent.stop()
    expect(await agent.exit).toBe(exitCodes.done)
    expect(service.state).toBe('ended')
  })

  it('sends nothing to a service whose certificate is another, and says so', async () => {
    await keepPolicy(otherPin)
    const agent = run()
    expect(await agent.exit).toBe(exitCodes.failed)
    expect(joins).toBe(0)
    expect(agent.text()).toMatch(/certificate|key/i)
    expect(agent.capture.calls.filter((call) => call !== 'stop')).toEqual([])
  })

  it('does not use up a code with a service that works with newer versions only', async () => {
    const documents = await startDocumentService()
    cleanups.push(() => documents.close())
    documents.publish(buildManifest(systemClock, { latest: { version: '2.0.0' }, minimumVersion: '2.0.0' }), signer)
    const agent = run(documents.url)
    expect(await agent.exit).toBe(exitCodes.failed)
    expect(agent.text()).toContain('version 2.0.0 or newer')
    expect(documents.asked.filter((path) => path.startsWith('/v1/sessions'))).toEqual([])
  })
})
