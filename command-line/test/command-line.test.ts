import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../server/test/test-support/server.ts'

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url))
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

const environment = () => ({ ...process.env, BASE_URL: server.url, API_KEY: server.orgs[0].sandboxKey })
const start = (args: readonly string[], env: NodeJS.ProcessEnv = environment()) => {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  running.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, out, err }))
  return { child, ended }
}
const run = (args: readonly string[], env?: NodeJS.ProcessEnv) => start(args, env).ended

describe('integrity', () => {
  it('says whose key it is, for people and as one line of JSON, and ends with 0', async () => {
    const { code, out } = await run(['key', '--json'])
    expect([code, out.trim().split('\n').length]).toEqual([0, 1])
    expect(JSON.stringify(JSON.parse(out))).toContain(server.orgs[0].orgId)
    expect((await run(['key'])).out.split('\n').length).toBeGreaterThan(3)
  })

  it('ends with 2 for what is missing or wrong here, and with 1 for what the service refuses, with its code', async () => {
    expect(await run(['key'], { ...environment(), API_KEY: '' })).toMatchObject({ code: 2, out: '' })
    for (const wrong of [
      [],
      ['nothing'],
      ['key', '--nothing'],
      ['sandbox'],
      ['sandbox', 'nothing'],
      ['completion', 'fish'],
    ])
      expect((await run(wrong)).code, wrong.join(' ')).toBe(2)
    const refused = await run(['key'], { ...environment(), API_KEY: 'sk_test_unknown' })
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^unauthorized: /)])
  })

  it('plays an interview of the sandbox', async () => {
    const { ended } = start(['sandbox', 'complete_interview', '--json'])
    let over = false
    void ended.then(() => (over = true))
    // The test moves the clock of this server; it does not run by itself.
    while (!over) {
      server.clock.advance(1000)
      await server.processAll()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { code, out, err } = await ended
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ status: 'done', sessionId: expect.stringMatching(/^ses_/) })
  })

  it('prints genuine deliveries and refuses others', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const { child, ended } = start(['listen', '--port', '0', '--count', '1', '--json'], {
      ...environment(),
      WEBHOOK_SECRET: secret,
    })
    const [line] = (await once(createInterface(child.stderr!), 'line')) as [string]
    const address = line.replace('listening on ', '')
    const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', createdAt: new Date().toISOString(), data: {} })
    const at = Math.floor(Date.now() / 1000)
    const mac = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    const post = (signature: string) =>
      fetch(address, { method: 'POST', body, headers: { 'x-service-signature': signature } })
    expect((await post(`t=${at},v1=${'0'.repeat(64)}`)).status).toBe(400)
    expect((await post(`t=${at},v1=${mac}`)).status).toBe(204)
    const { code, out, err } = await ended
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ id: 'evt_1' })])
    expect(err).toContain('refused: signature_mismatch')
  })

  it("hands the operator's commands on as they are, with their exit code", async () => {
    const { code, out, err } = await run(['admin', 'no-such-command'])
    expect(code).not.toBe(0)
    // What the operator's program says of its own.
    expect(`${out}${err}`).toContain('master-key change')
  })

  it('makes bash complete commands and their options', async () => {
    const { out } = await run(['completion', 'bash'])
    const ask = `${out}\nCOMP_WORDS=(integrity li); COMP_CWORD=1; _integrity; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(integrity stream --ty); COMP_CWORD=2; _integrity; echo "\${COMPREPLY[@]}"`
    const bash = spawn('bash', ['-c', ask])
    let said = ''
    bash.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
    await once(bash, 'close')
    expect(said.trim().split('\n')).toEqual(['listen', '--types'])
  })
})

describe('integrity mcp, to the official client', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const connect = async (...options: string[]) => {
    const client = new Client({ name: 'a-test', version: '1.0.0' })
    const env = Object.fromEntries(
      Object.entries(environment()).filter((one): one is [string, string] => one[1] !== undefined),
    )
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...options], env }),
    )
    return client
  }

  it('has at most 12 tools that only read, and what was said among them only on request', async () => {
    const client = await connect('--transcripts')
    const { tools } = await client.listTools()
    expect(tools.length).toBeLessThanOrEqual(12)
    expect(client.getServerVersion()?.version).toBe(version)
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    expect(tools.map(({ name }) => name)).toContain('get_transcript')
    await client.close()
    const usual = await connect()
    expect((await usual.listTools()).tools.map(({ name }) => name)).not.toContain('get_transcript')
    await usual.close()
  })

  it('answers with a reminder that these are observations, then with what the API says', async () => {
    const api = server.client(server.orgs[0].sandboxKey)
    const made = (await api.call('sessions.create', { body: { externalId: 'REQ-1' } })).data
    const client = await connect()
    const { content } = await client.callTool({ name: 'get_session', arguments: { sessionId: made.id } })
    const [note, data] = content as { text: string }[]
    expect(note?.text).toContain('no conclusion about a person')
    expect(JSON.parse(data?.text ?? '')).toMatchObject({ id: made.id, externalId: 'REQ-1' })
    await client.close()
  })

  it('reads with every tool, or says with its code what the service refuses', async () => {
    const client = await connect('--transcripts')
    const { tools } = await client.listTools()
    for (const { name, inputSchema } of tools) {
      const takes = Object.keys(inputSchema.properties ?? {})
      const given = Object.fromEntries(takes.filter((one) => one.endsWith('Id')).map((one) => [one, 'ses_none']))
      const { content, isError } = await client.callTool({ name, arguments: given })
      const said = (content as { text: string }[]).map(({ text }) => text).join(' ')
      if (Object.keys(given).length > 0)
        expect([name, isError, said]).toEqual([name, true, expect.stringContaining('not_found')])
      else expect([name, isError ?? false]).toEqual([name, false])
    }
    await client.close()
  })
})
