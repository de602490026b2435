import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { EndpointId } from '@integrity/protocol'
import { hasSamples, sampleOf } from '@integrity/protocol/samples/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allIds } from '../../invariants/common.ts'
import { examples, specOf } from '../../test-support/examples.ts'
import { has } from '../../test-support/guide-environment.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { buildWorld, type World } from '../../test-support/world.ts'

// A stream has no end that a program could wait for; the guide's chapter on it runs one.
const called = allIds.filter((id) => hasSamples(specOf(id)) && specOf(id).kind !== 'sse')

/** Runs program after program, each by itself: an interpreter for each would take longer than the programs. */
const runner = `
import json, sys
for line in sys.stdin:
    try:
        exec(compile(json.loads(line), "program", "exec"), {"print": lambda *_: None})
        print("ok", flush=True)
    except Exception as error:
        print(repr(error), getattr(error, "read", lambda: b"")().decode(), flush=True)
`

let server: TestServer
let world: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'integrity-samples-'))
  server = await startServer()
  world = await buildWorld(server)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const programOf = async (language: 'python' | 'go', id: EndpointId): Promise<string> => {
  const { params, query, json } = await examples[id](world)
  const input = { ...(params ? { params } : {}), ...(query ? { query } : {}), ...(json ? { body: json } : {}) }
  return sampleOf(language, specOf(id), input as Parameters<typeof sampleOf>[2])
}

describe('the programs of the reference', () => {
  if (has('python3'))
    it('in Python make every call that an API key may make, with the standard library alone', async () => {
      // -I and -S: no package of this machine can be what makes them work.
      const python = spawn('python3', ['-I', '-S', '-c', runner], {
        // Where a program puts what it downloads.
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', BASE_URL: server.url, API_KEY: world.key },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const said = createInterface(python.stdout)[Symbol.asyncIterator]()
      const answers: string[] = []
      for (const id of called) {
        // Made when its turn has come: what one needs, another may delete.
        python.stdin.write(`${JSON.stringify(await programOf('python', id))}\n`)
        answers.push(`${id} ${(await said.next()).value}`)
      }
      python.stdin.end()
      expect(answers.length).toBeGreaterThan(30)
      expect(answers).toEqual(called.map((id) => `${id} ok`))
    })

  if (has('gofmt'))
    it('in Go are formatted as Go has it', async () => {
      const files: string[] = []
      for (const id of called) {
        files.push(path.join(folder, `${id}.go`))
        await writeFile(files.at(-1) ?? '', `${await programOf('go', id)}\n`)
      }
      expect(execFileSync('gofmt', ['-d', ...files], { encoding: 'utf8' })).toBe('')
    })
})
