import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { tlsCertificate, tlsKey } from '../http-out/tls-fixture.test-support.ts'

const run = promisify(execFile)
const program = '/usr/sbin/slapd'

export const hasSlapd = (): Promise<boolean> =>
  run(program, ['-VV']).then(
    () => true,
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  )

/** The name in its certificate; a lookup says where that is. */
export const slapdName = 'hooks.example.com'
export const slapdBase = 'dc=example,dc=org'
export const slapdService = { bindDn: `cn=service,${slapdBase}`, bindPassword: 'service secret' }

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false)).on('connect', () => resolve(true))
    socket.on('connect', () => socket.destroy())
  })

const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema\n`).join('')

const conf = (dir: string) => `${schemas}
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${dir}/slapd.pid
TLSCertificateFile ${dir}/tls.pem
TLSCertificateKeyFile ${dir}/tls.key
database mdb
suffix "${slapdBase}"
rootdn "cn=admin,${slapdBase}"
rootpw admin
directory ${dir}/data
limits dn.exact="${slapdService.bindDn}" size.pr=50 size.prtotal=unlimited size.soft=100
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${slapdService.bindDn}" read by * none
`

const entry = (dn: string, lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n\n`
const person = (uid: string, password: string, more: readonly string[] = []) =>
  entry(`uid=${uid},ou=people,${slapdBase}`, [
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    ...[`cn: ${uid} Example`, `sn: Example`, `mail: ${uid}@example.org`, `userPassword: ${password}`, ...more],
  ])

/** So many groups that they come in pages, whoever asks for the first of them. */
export const manyGroups = 120

const seed = (elsewhere: number) =>
  [
    entry(slapdBase, ['objectClass: dcObject', 'objectClass: organization', 'o: Example', 'dc: example']),
    entry(slapdService.bindDn, [
      ...['objectClass: organizationalRole', 'objectClass: simpleSecurityObject', 'cn: service'],
      `userPassword: ${slapdService.bindPassword}`,
    ]),
    entry(`ou=people,${slapdBase}`, ['objectClass: organizationalUnit', 'ou: people']),
    entry(`ou=groups,${slapdBase}`, ['objectClass: organizationalUnit', 'ou: groups']),
    entry(`ou=elsewhere,${slapdBase}`, [
      ...['objectClass: referral', 'objectClass: extensibleObject', 'ou: elsewhere'],
      `ref: ldap://127.0.0.1:${elsewhere}/ou=people,dc=elsewhere`,
    ]),
    person('ana', 'ana secret'),
    person('bela', 'bela secret', ['description: twin']),
    person('cyril', 'cyril secret', ['description: twin']),
    person('o(d*d', 'odd secret'),
    ...Array.from({ length: manyGroups }, (_none, n) =>
      entry(`cn=group ${n},ou=groups,${slapdBase}`, [
        ...['objectClass: groupOfNames', `cn: group ${n}`, `member: uid=ana,ou=people,${slapdBase}`],
      ]),
    ),
  ].join('')

export interface Slapd {
  readonly port: number
  readonly tlsPort: number
  stop(): Promise<void>
}

/** Debian's slapd with a directory of its own, on loopback; `elsewhere` is the port that its referral names. */
export const startSlapd = async (elsewhere: number): Promise<Slapd> => {
  const dir = await mkdtemp(join(tmpdir(), 'slapd-'))
  await mkdir(join(dir, 'data'))
  const file = (name: string, text: string) => writeFile(join(dir, name), text, { mode: 0o600 })
  await Promise.all([file('slapd.conf', conf(dir)), file('tls.pem', tlsCertificate), file('tls.key', tlsKey)])
  await file('seed.ldif', seed(elsewhere))
  // The same program under another name loads entries.
  await run(program, ['-T', 'add', '-q', '-f', join(dir, 'slapd.conf'), '-l', join(dir, 'seed.ldif')])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`
  const child = spawn(program, ['-d', '0', '-f', join(dir, 'slapd.conf'), '-h', urls], { stdio: 'ignore' })
  while (child.exitCode === null && !(await isOpen(port))) await pause(10)
  if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}`)
  return {
    port,
    tlsPort,
    stop: async () => {
      await new Promise<void>((resolve) => child.on('exit', () => resolve()).kill('SIGKILL'))
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
