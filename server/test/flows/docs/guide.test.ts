import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { errorCodes, retryWaitsSeconds, scenarioNames } from '@integrity/protocol'
import vectors from '@integrity/protocol/vectors/signature.json' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guideFolder, readGuide } from '../../../src/pipeline/pages/guide.ts'
import { differences, missingLines } from '../../test-support/guide-compare.ts'
import { environmentOf, has, programs } from '../../test-support/guide-environment.ts'
import {
  type Fence,
  fencesOf,
  runChapter,
  runGroup,
  type ScriptResult,
  unusable,
} from '../../test-support/guide-runner.ts'
import { type GuideOrg, type GuideServer, startGuideServer } from '../../test-support/guide-server.ts'
import { isLargeProof, proofSize } from '../../test-support/proof.ts'

const chapters = readGuide()
/** As `npm install @integrity/client` would put it there. */
const clientPackage = path.join(guideFolder(), '..', 'client')
const missing = programs.filter(([program]) => !has(program))
if (missing.length > 0)
  console.warn(`\n*** SKIPPED: chapters of the guide. Not installed: ${missing.map(([name]) => name).join(', ')} ***\n`)
const lacks = (fences: readonly Fence[]): boolean =>
  fences.some(({ language, text }) => language === 'sh' && missing.some(([, words]) => words.test(text)))

let server: GuideServer
let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'integrity-guide-'))
  server = await startGuideServer()
})
afterAll(async () => {
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

const environment = (org?: GuideOrg) => environmentOf(server, root, org)

/** Where the output of a chapter is not what the chapter shows. */
const compare = (fences: readonly Fence[], { outputs }: ScriptResult): string[] => {
  let block = -1
  return fences.flatMap(({ language, text, line }) => {
    if (language === 'sh') block += 1
    const output = outputs[block] ?? ''
    if (language === 'text')
      return missingLines(text, output).map((lost) => `line ${line}: did not come: ${lost}\n${output}`)
    if (language !== 'json') return []
    return differences(JSON.parse(text), JSON.parse(output || 'null')).map(
      (found) => `line ${line}: ${found}\n${output}`,
    )
  })
}

// They wait for interviews that play and a film that is rendered, which a busy machine makes long.
describe('the guide', { timeout: 300_000 }, () => {
  it('has no example that is neither run nor compared', () => {
    const found = chapters.flatMap((chapter) =>
      unusable(fencesOf(chapter)).map((problem) => `${chapter.file} ${problem}`),
    )
    expect(found).toEqual([])
    expect(chapters.length).toBeGreaterThan(10)
  })

  it('names in its tables every scenario, every error code with its status, and every wait before a retry', () => {
    const rows = (name: string) =>
      [...(chapters.find((chapter) => chapter.name === name)?.text ?? '').matchAll(/^\| (.+?) \| (.+?) \|/gm)].slice(1)
    expect(rows('sandbox').map(([, scenario]) => scenario)).toEqual(scenarioNames.map((name) => `\`${name}\``))
    const errors = rows('errors').map(([, code, statuses]) => `${code} ${statuses?.split(',')[0]}`)
    expect(errors).toEqual(Object.entries(errorCodes).map(([code, { status }]) => `\`${code}\` ${status}`))
    const seconds = { second: 1, minute: 60, hour: 3600 } as const
    const waits = rows('webhooks').map(([, , wait]) => {
      const [, count, unit] = /^(\d+) (second|minute|hour)s?$/.exec(wait ?? '') ?? []
      return Number(count) * seconds[unit as keyof typeof seconds]
    })
    expect(waits).toEqual([...retryWaitsSeconds])
  })

  const otherLanguages = new Set(['python', 'go'])
  for (const chapter of chapters.filter(({ name }) => isLargeProof || !otherLanguages.has(name))) {
    const fences = fencesOf(chapter)
    // Side by side: most of their time they wait for an interview that plays.
    it.skipIf(lacks(fences)).concurrent(`says in "${chapter.title}" what a reader sees`, async () => {
      const folder = path.join(root, chapter.name)
      await mkdir(path.join(folder, 'node_modules', '@integrity'), { recursive: true })
      await symlink(clientPackage, path.join(folder, 'node_modules', '@integrity', 'client'), 'dir')
      const result = await runChapter(fences, { folder, env: await environment() })
      const blocks = fences.filter(({ language }) => language === 'sh')
      const last = blocks[result.outputs.length - 1]
      expect(result.code, `line ${last?.line}: ${result.stderr}\n${result.outputs.at(-1)}`).toBe(0)
      expect(result.outputs).toHaveLength(blocks.length)
      expect(compare(fences, result)).toEqual([])
    })
  }

  it('made the service write no warning and no error to its log', () => {
    expect(server.logLines).toEqual([])
  })
})

describe('the stream client of the guide', () => {
  it('misses nothing, repeats nothing and keeps the order when it was further behind than the stream resumes', async () => {
    const folder = path.join(root, 'gap')
    await mkdir(folder)
    const org = await server.newOrg()
    const { publish } = org
    const scheduled = Array.from({ length: 230 }, () => 'session.scheduled' as const)
    const [first = ''] = await publish([...scheduled, 'session.ended'])
    const code = chapters.flatMap(fencesOf).find(({ file }) => file === 'follow.mjs')?.text ?? ''
    await writeFile(path.join(folder, 'follow.mjs'), code)
    const env = await environment(org)
    // Into a file, as in the guide: what a program has not yet got rid of is lost when it exits before a slow pipe.
    const { code: exit, stderr } = await runGroup('sh', ['-c', `node follow.mjs ${first} >followed.txt`], {
      folder,
      env,
    })
    expect(exit, stderr).toBe(0)
    const followed = await readFile(path.join(folder, 'followed.txt'), 'utf8')
    expect(followed.trim().split('\n')).toEqual(['connected', ...scheduled.slice(1), 'session.ended'])
  })
})

describe('the runner of the guide', () => {
  const chapter = (text: string) => ({ name: 'x', file: '01-x.md', title: 'X', text: `# X\n\n${text}` })
  const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

  it('finds what would stand there without having been run or compared', () => {
    const found = (...blocks: string[]) => unusable(fencesOf(chapter(blocks.join('\n'))))
    const run = block('sh', 'node a.mjs')
    expect(found(run, block('js', '// a.mjs\n1'), block('json', '{}'))).toEqual([])
    expect(found(block('json', '{}'), run)).toHaveLength(1)
    expect(found(run, block('js', '// b.mjs\n1'))).toHaveLength(1)
    expect(found(run, block('js', 'const a = 1'))).toHaveLength(1)
    expect(found(run, block('python', '// a.mjs'))).toHaveLength(1)
    for (const language of ['', 'bash', 'js', 'py', 'http']) expect(found(block(language, 'x'))).toHaveLength(1)
    expect(() => fencesOf(chapter('```sh\necho'))).toThrow('line 3')
  })

  it('stops at the first command that fails, and says what was printed before it', async () => {
    const folder = path.join(root, 'failing')
    await mkdir(folder)
    const text = [block('sh', 'A=1; echo $A'), block('sh', 'false\necho never'), block('sh', 'echo never')].join('\n')
    const result = await runChapter(fencesOf(chapter(text)), { folder, env: await environment() })
    expect(result).toMatchObject({ code: 1, outputs: ['1\n', ''] })
  })

  it('ends a chapter that hangs, with everything it started', async () => {
    const folder = path.join(root, 'hanging')
    await mkdir(folder)
    // It resolves only once nobody holds its pipes any more, the one in the background included.
    const fences = fencesOf(chapter(block('sh', 'sleep 1000 & wait')))
    const result = await runChapter(fences, { folder, env: await environment(), timeoutMs: 300 })
    expect(result.code).toBeNull()
  })

  it('sees every way in which an answer differs from what is shown', () => {
    const shown = { id: 'ses_…', at: '2026-09-04T10:00:00.000Z', n: 1, list: ['a', '…'], deep: { x: null } }
    const came = { id: 'ses_1', at: '2027-01-01T00:00:00.123Z', n: 1, list: ['a', 'b', 'c'], deep: { x: null } }
    expect(differences(shown, came)).toEqual([])
    for (const other of [
      { ...came, id: 'evd_1' },
      { ...came, at: 'soon' },
      { ...came, n: '1' },
      { ...came, list: ['b'] },
      { ...came, list: [] },
      { ...came, deep: {} },
      { ...came, deep: { x: null, y: 1 } },
      { ...came, more: 1 },
      { ...came, deep: null },
    ])
      expect(differences(shown, other)).toHaveLength(1)
    expect(differences({ a: 1, '…': '…' }, { a: 1, b: 2 })).toEqual([])
    expect(missingLines('A: 1\n…\nC: …', 'x\na: 1\nb: 2\nc: 3')).toEqual([])
    expect(missingLines('b: 2\na: 1', 'a: 1\nb: 2')).toEqual(['a: 1'])
    expect(missingLines('a: 2', 'a: 1')).toEqual(['a: 2'])
  })
})

interface Case {
  readonly name: string
  readonly secret: string
  readonly header: string
  readonly body: string
  readonly now: number
  readonly valid: boolean
}

const [vector = null, ...otherVectors] = vectors.vectors
const sign = (secret: string, t: string, body: string) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')

/** What every receiver must get right, made from the protocol's vectors. */
const signatureCases = (): Case[] => {
  if (!vector) throw new Error('there is no vector')
  const { secret, header, body, unixSeconds: now } = vector
  const base = { secret, header, body, now, valid: true }
  const [t = '', v1 = ''] = header.split(',')
  const wrong = `v1=${'0'.repeat(64)}`
  const refused = { ...base, valid: false }
  return [
    ...[vector, ...otherVectors].map((v) => ({ ...v, now: v.unixSeconds, valid: true })),
    { ...base, name: '300 s later', now: now + 300 },
    { ...base, name: '300 s earlier', now: now - 300 },
    { ...base, name: 'unknown keys beside it', header: `v0=abc,${t},v2=${'f'.repeat(64)},${v1},x` },
    { ...base, name: 'a second v1 that is right', header: `${t},${wrong},${v1}` },
    { ...base, name: 'a second v1 that is wrong', header: `${t},${v1},${wrong}` },
    { ...base, name: 'spaces after the commas', header: `${t}, ${v1}` },
    { ...refused, name: 'another secret', secret: `${secret.slice(0, -2)}A=` },
    { ...refused, name: 'the secret without its prefix', secret: secret.slice('whsec_'.length) },
    { ...refused, name: 'an altered body', body: body.replace('session.ended', 'session.ender') },
    { ...refused, name: 'the same JSON, written otherwise', body: `${body} ` },
    { ...refused, name: '301 s later', now: now + 301 },
    { ...refused, name: '301 s earlier', now: now - 301 },
    { ...refused, name: 'another time than was signed', header: `t=${now + 1},${v1}` },
    { ...refused, name: 'no v1', header: t },
    { ...refused, name: 'no t', header: v1, now: 0 },
    { ...refused, name: 'a right value under another key', header: `${t},${v1.replace('v1', 'v2')}` },
    { ...refused, name: 'a right beginning', header: `${t},${v1.slice(0, 40)}` },
    { ...refused, name: 'a right value and more', header: `${t},${v1}00` },
    { ...refused, name: 'no header', header: '' },
    { ...refused, name: 'what is not hex', header: `${t},v1=${'zé'.repeat(32)}` },
    { ...refused, name: 'a time that is no number', header: `t=soon,v1=${sign(secret, 'soon', body)}` },
    { ...refused, name: 'a time beyond all numbers', header: `t=${'9'.repeat(400)},${v1}` },
    { ...refused, name: 'commas and signs only', header: ',,=,t,v1,=v1' },
  ]
}

describe('the verification of the guide', () => {
  const fences = chapters.flatMap(fencesOf)
  const drivers = {
    js: `import { readFileSync } from 'node:fs'
import { verify } from './verify.mjs'
const cases = JSON.parse(readFileSync('cases.json', 'utf8'))
console.log(JSON.stringify(cases.map((c) => verify(c.secret, c.header, Buffer.from(c.body), c.now))))`,
    python: `import json
from verify import verify
cases = json.load(open("cases.json", encoding="utf-8"))
print(json.dumps([verify(c["secret"], c["header"], c["body"].encode(), c["now"]) for c in cases]))`,
    go: `package main
import ("encoding/json"; "os"; "time")
func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []struct{ Secret, Header, Body string; Now int64 }
	if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
	results := []bool{}
	for _, c := range cases { results = append(results, Verify(c.Secret, c.Header, []byte(c.Body), time.Unix(c.Now, 0))) }
	json.NewEncoder(os.Stdout).Encode(results)
}`,
  } as const
  const commands = {
    js: { program: 'node', args: ['drive.mjs'], file: 'verify.mjs', driver: 'drive.mjs' },
    python: { program: 'python3', args: ['drive.py'], file: 'verify.py', driver: 'drive.py' },
    go: { program: 'go', args: ['run', 'verify.go', 'drive.go'], file: 'verify.go', driver: 'drive.go' },
  } as const

  // Other languages' programs, which take seconds to come up, at night.
  for (const language of proofSize({ small: ['js'], large: ['js', 'python', 'go'] } as const)) {
    const { program, args, file, driver } = commands[language]
    it.skipIf(!has(program))(`in ${language} takes what is genuine and fresh and nothing else`, async () => {
      const folder = path.join(root, `verify-${language}`)
      await mkdir(folder)
      const cases = signatureCases()
      const code = fences.find((fence) => fence.file === file)?.text ?? ''
      await writeFile(path.join(folder, file), code)
      await writeFile(path.join(folder, driver), drivers[language])
      await writeFile(path.join(folder, 'cases.json'), JSON.stringify(cases))
      const { code: exit, stdout, stderr } = await runGroup(program, args, { folder, env: await environment() })
      expect(exit, stderr).toBe(0)
      const results = JSON.parse(stdout) as boolean[]
      expect(cases.map(({ name }, index) => `${name}: ${results[index]}`)).toEqual(
        cases.map(({ name, valid }) => `${name}: ${valid}`),
      )
      // Equal in time whatever was sent: by the library's own comparison, not by ==.
      expect(code).toMatch(/timingSafeEqual\(|compare_digest\(|hmac\.Equal\(/)
    })
  }
})
