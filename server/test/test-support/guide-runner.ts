import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Chapter } from '../../src/pipeline/pages/guide.ts'

/** A fenced block of a chapter. */
export interface Fence {
  readonly language: string
  readonly text: string
  /** Line of the file on which it begins. */
  readonly line: number
  /** The file a program says it is, in the comment on its first line. */
  readonly file: string | undefined
}

export const fencesOf = ({ text }: Chapter): Fence[] => {
  const fences: Fence[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^ {0,3}```(.*)$/.exec(line)
    if (!mark) open?.lines.push(line)
    else if (!open) open = { language: mark[1]?.trim() ?? '', line: index + 1, lines: [] }
    else {
      const body = open.lines.join('\n')
      const file = /^(?:#|\/\/) ([\w-]+\.\w+)$/m.exec(open.lines[0] ?? '')?.[1]
      fences.push({ language: open.language, line: open.line, text: body, file })
      open = undefined
    }
  }
  if (open) throw new Error(`line ${open.line}: this block does not end`)
  return fences
}

/** Programs that are beside the script, by the ending of their file. */
const programs: Readonly<Record<string, string>> = { js: '.mjs', python: '.py', go: '.go' }
const shown = ['json', 'text']

/** What is wrong with the blocks of a chapter before any of them runs: each must be run or compared. */
export const unusable = (fences: readonly Fence[]): string[] => {
  const script = fences.flatMap(({ language, text }) => (language === 'sh' ? [text] : [])).join('\n')
  return fences.flatMap(({ language, line, file }, index) => {
    const at = `line ${line} (${language || 'no language'})`
    if (language === 'sh') return []
    if (shown.includes(language))
      return fences.slice(0, index).some((before) => before.language === 'sh') ? [] : [`${at}: no command printed this`]
    const ending = programs[language]
    if (ending === undefined) return [`${at}: no test can run or compare this`]
    if (!file?.endsWith(ending)) return [`${at}: its first line does not say which file it is`]
    const imported = fences.some(
      (other) => other.text.includes(`'./${file}'`) || other.text.includes(`from ${file.slice(0, -3)} import`),
    )
    return script.includes(file) || imported ? [] : [`${at}: no command runs ${file}`]
  })
}

export interface ScriptResult {
  readonly code: number | null
  /** What each shell block printed, in order; fewer than there are when one failed. */
  readonly outputs: readonly string[]
  readonly stderr: string
}

export interface ScriptOptions {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** A program with everything that it started in a group of their own, which is gone when this resolves. */
export const runGroup = (
  command: string,
  args: readonly string[],
  { folder, env, timeoutMs = 280_000 }: ScriptOptions,
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk
      })
    const killGroup = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // The group is gone already.
      }
    }
    const timer = setTimeout(() => {
      text.stderr += `\nit did not end within ${timeoutMs} ms`
      killGroup()
    }, timeoutMs)
    child.once('error', reject)
    // `exit`, not `close`: a receiver in the background keeps the pipes open until the group is killed.
    child.once('exit', killGroup)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...text })
    })
  })

/** Runs a chapter: its programs as files in a folder, its shell blocks there as one script. */
export const runChapter = async (fences: readonly Fence[], options: ScriptOptions): Promise<ScriptResult> => {
  const { folder } = options
  const printed = path.join(folder, '.printed')
  await mkdir(printed, { recursive: true })
  for (const { file, text, language } of fences)
    if (file && language in programs) await writeFile(path.join(folder, file), `${text}\n`)
  const blocks = fences.filter(({ language }) => language === 'sh')
  const script = blocks.map(({ text }, index) => `{\n${text}\n} >"${path.join(printed, String(index))}"`)
  await writeFile(path.join(folder, '.chapter.sh'), ['set -eu', ...script, ''].join('\n'))
  const { code, stderr } = await runGroup('sh', ['.chapter.sh'], options)
  const files = blocks.map((_, index) => path.join(printed, String(index))).filter((file) => existsSync(file))
  return { code, outputs: await Promise.all(files.map((file) => readFile(file, 'utf8'))), stderr }
}
