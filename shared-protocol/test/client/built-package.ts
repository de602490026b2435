import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage } from '../../client/build/build-package.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A folder as an integrator has it: the built package in node_modules, and nothing of this workspace. */
export interface Consumer {
  readonly folder: string
  readonly packageFolder: string
  /** Writes a file and gives its path. */
  add(name: string, text: string): Promise<string>
  remove(): Promise<void>
}

export const createConsumer = async (): Promise<Consumer> => {
  const folder = await mkdtemp(join(tmpdir(), 'client-consumer-'))
  const packageFolder = join(folder, 'node_modules/@integrity/client')
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await buildPackage(packageFolder)
  await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
  return {
    folder,
    packageFolder,
    async add(name, text) {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface Running {
  /** Lines on stdout so far. */
  readonly lines: readonly string[]
  /** Resolves with the line once one is there that matches; rejects when the program ends before. */
  line(matching: RegExp): Promise<string>
  /** Resolves with the exit code and all that was written. */
  readonly ended: Promise<{ code: number | null; output: string }>
  stop(): void
}

export const runNode = (
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Running => {
  const child = spawn(node, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let all = ''
  const watchers = new Set<() => void>()
  const lines = () => out.split('\n').slice(0, -1)
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    all += chunk.toString()
    for (const watcher of watchers) watcher()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    all += chunk.toString()
  })
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: all }))
  })
  return {
    get lines() {
      return lines()
    },
    ended,
    stop: () => child.kill(),
    line: (matching) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = lines().find((line) => matching.test(line))
          if (found === undefined) return
          watchers.delete(check)
          resolve(found)
        }
        watchers.add(check)
        check()
        ended.then(({ output }) => reject(new Error(`it ended without ${matching}:\n${output}`)), reject)
      }),
  }
}

/** A port that nobody listens on, below those that systems give out by themselves, so that nobody gets it meanwhile. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 20; tries += 1) {
    const server = createServer()
    const port = randomInt(20_000, 32_000)
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
  throw new Error('no port was free in 20 tries')
}

/** The machine's own Node, which is older than the one this runs on; undefined when there is none from 20 on. */
export const machineNode = async (): Promise<{ path: string; version: string } | undefined> => {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '' || folder.includes('node_modules')) continue
    const path = join(folder, process.platform === 'win32' ? 'node.exe' : 'node')
    const { code, output } = await runNode(path, ['--version'], {}, tmpdir()).ended.catch(() => ({
      code: 1,
      output: '',
    }))
    const version = output.trim()
    if (code === 0 && Number(/^v(\d+)/.exec(version)?.[1]) >= 20) return { path, version }
  }
  return undefined
}

/** Contents of the built package by name. */
export const builtFiles = async ({ packageFolder }: Consumer): Promise<Map<string, string>> => {
  const entries = await readdir(packageFolder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = files.map(async (file) => [file.slice(packageFolder.length + 1), await readFile(file, 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Code blocks of a Markdown file that have a name in a comment before them. */
export const examplesOf = (markdown: string): Map<string, string> =>
  new Map(
    [...markdown.matchAll(/<!-- example: (\w+) -->\n```ts\n([\s\S]*?)```/g)].map(([, name = '', code = '']) => [
      name,
      code,
    ]),
  )

/** What the examples of docstrings use beside what they make themselves. */
const scope = `import {
  createIntegrityClient, EventGapError, type IntegrityClient, IntegrityError, type IntegrityEvent, type UploadSource,
  verifyWebhook, WebhookVerificationError,
} from '@integrity/client'
declare const client: IntegrityClient
declare const [baseUrl, apiKey, secret, sessionId, lastEventId]: readonly [string, string, string, string, string]
declare const file: File
declare const request: Request
`

/** The examples of all docstrings in the package's declarations as one module, and how many they are. */
export const docstringExamples = (files: ReadonlyMap<string, string>): { module: string; count: number } => {
  const examples = [...files]
    .filter(([name]) => name.endsWith('.d.ts'))
    .flatMap(([, text]) => [...text.matchAll(/\* @example\n((?: *\*(?!\/).*\n)+)/g)])
    .map(([, lines = '']) => lines.replace(/^ *\* ?(?:```.*)?/gm, ''))
  const functions = examples.map((code, index) => `export const example${index} = async () => {\n${code}}\n`)
  return { module: scope + functions.join(''), count: examples.length }
}
