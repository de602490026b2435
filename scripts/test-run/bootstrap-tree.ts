import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

const scripts = resolve(import.meta.dirname, '..')

/** A small tree of its own with the real `run.mjs`, and an `npx` that notes each call instead of reaching a registry. */
export interface BootstrapTree extends Disposable {
  root: string
  /** What `run.mjs` is started with: this process's environment with the noting `npx` first on the PATH. */
  env: NodeJS.ProcessEnv
  write(path: string, text: string, mode?: number): void
  /** The arguments of each install so far, one line each. */
  installs(): string[]
  /** Starts `run.mjs` with these arguments. */
  start(args: string[], env?: NodeJS.ProcessEnv): Running
}

export interface Running {
  pid: number
  kill(signal: NodeJS.Signals): void
  /** Resolves when stdout holds the text. Rejects when the program ends without it. */
  printed(text: string): Promise<void>
  /** Resolves when every process that holds its streams has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
}

// What pnpm would leave behind, as far as the bootstrap looks at it.
const npx = `#!/bin/sh
echo "$@" >> installs.txt
env | grep -i '^npm_config_' | sort > install-environment.txt
echo "chatter of the package manager"
[ -f fail-install ] && exit 9
mkdir -p node_modules/.bin
ln -sf "${process.execPath}" node_modules/.bin/node
`

export const bootstrapTree = (): BootstrapTree => {
  const root = mkdtempSync(join(tmpdir(), 'bootstrap-tree-'))
  const write = (path: string, text: string, mode?: number) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  cpSync(join(scripts, 'run.mjs'), join(root, 'scripts/run.mjs'))
  cpSync(join(scripts, 'bootstrap'), join(root, 'scripts/bootstrap'), { recursive: true })
  write('package.json', '{ "type": "module" }')
  write('pnpm-lock.yaml', 'lockfileVersion: 1\n')
  write('programs/npx', npx, 0o755)
  // Without npm's own path, so that `npx` is looked up; without colours, so that texts can be compared.
  const { npm_execpath: _, ...inherited } = process.env
  const env = { ...inherited, NO_COLOR: '1', PATH: [join(root, 'programs'), process.env.PATH].join(delimiter) }
  return {
    root,
    env,
    write,
    installs: () => readLines(join(root, 'installs.txt')),
    start: (args, more = {}) =>
      running(process.execPath, [join(root, 'scripts/run.mjs'), ...args], root, { ...env, ...more }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

export const running = (program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Running => {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return {
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    printed: (text) =>
      new Promise((found, refuse) => {
        const look = () => stdout.includes(text) && found()
        child.stdout.on('data', look)
        child.once('close', () => refuse(new Error(`ended without printing "${text}": ${stdout}${stderr}`)))
        look()
      }),
    ended: new Promise((finish, refuse) => {
      child.once('error', refuse)
      child.once('close', (code, signal) => finish({ code, signal, stdout, stderr }))
    }),
  }
}

const readLines = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
