import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { freePort, type GuideOrg, type GuideServer } from './guide-server.ts'

/** Where Debian's programs lie stands first, so that its Python finds its own libraries. */
const searched = [path.dirname(process.execPath), '/usr/bin', process.env['PATH'] ?? ''].join(path.delimiter)

/** Whether a program, or the library that the guide needs beside one, is here. */
export const has = (program: string): boolean => {
  const command = program === 'python3-cryptography' ? "python3 -c 'import cryptography'" : `command -v ${program}`
  try {
    execFileSync('sh', ['-c', command], { env: { PATH: searched }, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What a chapter needs on the machine, by what stands in its commands. */
export const programs = [
  ['curl', /curl/],
  ['jq', /jq/],
  ['python3', /python3/],
  ['python3-cryptography', /check_audit/],
  ['go', /go build/],
  ['ffmpeg', /\/render/],
] as const

/** What a reader's shell would have, and nothing else of this run. */
export const environmentOf = async (
  server: GuideServer,
  root: string,
  org?: GuideOrg,
): Promise<Record<string, string>> => {
  const { orgId, email, password, sandboxKey } = org ?? (await server.newOrg())
  return {
    PATH: searched,
    HOME: root,
    TMPDIR: root,
    LANG: 'C.UTF-8',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
    GOCACHE: path.join(root, 'go-cache'),
    BASE_URL: server.url,
    API_KEY: sandboxKey,
    ORG_ID: orgId,
    EMAIL: email,
    PASSWORD: password,
    PORT: String(await freePort()),
  }
}
