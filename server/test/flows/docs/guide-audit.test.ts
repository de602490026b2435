import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuide } from '../../../src/pipeline/pages/guide.ts'
import { environmentOf, has } from '../../test-support/guide-environment.ts'
import { fencesOf, runGroup } from '../../test-support/guide-runner.ts'
import { type GuideServer, startGuideServer } from '../../test-support/guide-server.ts'

describe('the check of the audit trail in the guide', () => {
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

  type Line = Record<string, unknown> & { row?: Record<string, unknown> }
  const code =
    readGuide()
      .flatMap(fencesOf)
      .find(({ file }) => file === 'check_audit.py')?.text ?? ''
  const driver = `import json
from check_audit import check
def outcome(case):
    try:
        check(case["lines"], case.get("key"))
        return "holds"
    except Exception as error:
        return str(error) or type(error).__name__
print(json.dumps([outcome(case) for case in json.load(open("cases.json", encoding="utf-8"))]))`

  /** The audit trail of a new organisation with an erased session, as it is exported. */
  const exported = async (): Promise<Line[]> => {
    const { orgId, sandboxKey, email, password } = await server.newOrg()
    const headers = { authorization: `Bearer ${sandboxKey}`, 'content-type': 'application/json' }
    const post = (url: string, body: unknown) =>
      fetch(`${server.url}${url}`, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const candidateLabel of ['Ünï \u2028 "1" 😀', 'Candidate 2']) {
      const made = (await (await post('/v1/api/sessions', { candidateLabel })).json()) as { data: { id: string } }
      if (candidateLabel === 'Candidate 2') await post(`/v1/api/sessions/${made.data.id}/erase`, {})
    }
    const login = await post('/v1/auth/login', { email, password })
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const answer = await fetch(`${server.url}/v1/orgs/${orgId}/audit-logs/export`, { headers: { cookie } })
    return (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  }

  it('has about 40 lines', () => {
    expect(code.split('\n').length).toBeLessThanOrEqual(45)
  })

  it.skipIf(!has('python3-cryptography'))(
    'finds what is genuine good, after an erasure too, and nothing else',
    async () => {
      const folder = path.join(root, 'check-audit')
      await mkdir(folder)
      const [lines, foreign] = [await exported(), await exported()]
      const end = lines.at(-1)
      const rows = lines.slice(0, -1)
      expect(rows.some(({ row, payload }) => row?.['payloadHash'] !== null && payload === undefined)).toBe(true)
      const withRow = (n: number, change: object): Line[] =>
        lines.map((line, at) => (at === n ? { ...line, row: { ...line.row, ...change } } : line))
      const swapped = [lines[0], lines[2], lines[1], ...lines.slice(3)]
      const cases: Record<string, [(Line | undefined)[], string | RegExp, string?]> = {
        genuine: [lines, 'holds'],
        'erased as a whole': [lines.map(({ payload: _p, salt: _s, ...line }) => line), 'holds'],
        'a row altered': [withRow(1, { action: 'session.ended' }), 'row 3 does not continue the one before it'],
        'the last row altered': [withRow(rows.length - 1, { target: 'x' }), 'the checkpoint is of another chain'],
        'a payload altered': [
          lines.map((line, at) => (at === 0 ? { ...line, payload: { name: 'x' } } : line)),
          /payload of row 1/,
        ],
        'a row deleted': [lines.toSpliced(2, 1), 'row 3 is missing'],
        'rows in another order': [swapped, 'row 2 is missing'],
        'the tail cut': [[...rows.slice(0, -1), end], 'the checkpoint is of another place'],
        'no end': [rows, 'the file ends too early'],
        'more to come': [[...rows, { ...end, nextAfterSeq: 3 }], 'the file ends too early'],
        "another's checkpoint": [[...rows, foreign.at(-1)], /checkpoint is of another/],
        'signed by another key': [lines, /.+/, String(foreign.at(-1)?.['verifierKey'])],
        'a signature of other words': [
          [...rows, { ...end, checkpoint: String(end?.['checkpoint']).replace(/.{8}(?=={0,2}\n$)/, 'AAAAAAAA') }],
          /.+/,
        ],
      }
      const text = Object.values(cases).map(([given, , key]) => ({
        lines: given.map((line) => JSON.stringify(line)),
        key,
      }))
      await writeFile(path.join(folder, 'check_audit.py'), code)
      await writeFile(path.join(folder, 'drive.py'), driver)
      await writeFile(path.join(folder, 'cases.json'), JSON.stringify(text))
      const {
        code: exit,
        stdout,
        stderr,
      } = await runGroup('python3', ['drive.py'], { folder, env: await environmentOf(server, root) })
      expect(exit, stderr).toBe(0)
      const outcomes = JSON.parse(stdout) as string[]
      for (const [n, [name, [, expected]]] of Object.entries(cases).entries()) {
        if (typeof expected === 'string') expect(outcomes[n], name).toBe(expected)
        else expect(outcomes[n], name).toMatch(expected)
        if (name !== 'genuine' && name !== 'erased as a whole') expect(outcomes[n], name).not.toBe('holds')
      }
    },
  )
})
