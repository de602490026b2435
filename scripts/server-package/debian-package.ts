import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from '../run-program.ts'

const name = 'interview-integrity'

export interface PackageCall {
  readonly root: string
  /** What becomes /usr/lib/interview-integrity: moved, not copied. */
  readonly payload: string
  /** A folder of its own, made again. */
  readonly staging: string
  readonly version: string
  readonly architecture: 'amd64' | 'arm64'
  /** Where the package goes. */
  readonly to: string
}

const sizeInKiB = async (folder: string): Promise<number> => {
  const { code, output } = await runProgram('du', ['-sk', '--apparent-size', folder])
  if (code !== 0) throw new Error(output)
  return Number(output.split('\t')[0])
}

const control = ({ version, architecture }: PackageCall, installedKiB: number): string => `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: Interview integrity <package@localhost>
Installed-Size: ${installedKiB}
Depends: adduser, libatomic1, libc6 (>= 2.31), libstdc++6
Recommends: ffmpeg
Suggests: nginx, postgresql
Section: net
Priority: optional
Description: evidence for remote interviews that a candidate has agreed to
 The server: API, webhooks, event streams, and the pages for candidates. It
 observes and never judges; a person decides. Brings its own Node.js.
`

/** The files of the system: name in the tree, place in the package, mode. */
const files: readonly (readonly [from: string, to: string, mode: number])[] = [
  ['server/packaging/debian/interview-integrity.service', `lib/systemd/system/${name}.service`, 0o644],
  [`server/packaging/debian/${name}-retention.service`, `lib/systemd/system/${name}-retention.service`, 0o644],
  [`server/packaging/debian/${name}-retention.timer`, `lib/systemd/system/${name}-retention.timer`, 0o644],
  ['server/packaging/debian/sysusers.conf', `usr/lib/sysusers.d/${name}.conf`, 0o644],
  ['server/packaging/debian/server.env', `etc/${name}/server.env`, 0o640],
  ['server/packaging/debian/admin.sh', `usr/sbin/${name}-admin`, 0o755],
  ['server/packaging/debian/postinst', 'DEBIAN/postinst', 0o755],
  ['server/packaging/debian/prerm', 'DEBIAN/prerm', 0o755],
  ['server/packaging/debian/postrm', 'DEBIAN/postrm', 0o755],
  ['LICENSE', `usr/share/doc/${name}/copyright`, 0o644],
  ['THIRD-PARTY-NOTICES', `usr/share/doc/${name}/THIRD-PARTY-NOTICES`, 0o644],
  ['docs/operating.md', `usr/share/doc/${name}/operating.md`, 0o644],
  ['CHANGELOG.md', `usr/share/doc/${name}/CHANGELOG.md`, 0o644],
  ['docs/runbook.md', `usr/share/doc/${name}/runbook.md`, 0o644],
  ['server/packaging/nginx.conf', `usr/share/doc/${name}/examples/nginx.conf`, 0o644],
  ['server/packaging/Caddyfile', `usr/share/doc/${name}/examples/Caddyfile`, 0o644],
  ['server/monitoring/alerts.yml', `usr/share/doc/${name}/examples/alerts.yml`, 0o644],
  ['server/monitoring/dashboard.json', `usr/share/doc/${name}/examples/dashboard.json`, 0o644],
]

/** The operator's pages, all of them. */
const pages = 'docs/operating'

/** Folders get the mode that they have on a system, whatever this process makes. */
const openFolders = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

/** Builds the Debian package of a payload. @returns its path */
export const buildDebianPackage = async (call: PackageCall): Promise<string> => {
  const { root, staging, payload, version, architecture, to } = call
  await rm(staging, { recursive: true, force: true })
  const operating = (await readdir(join(root, pages))).map(
    (file) => [`${pages}/${file}`, `usr/share/doc/${name}/operating/${file}`, 0o644] as const,
  )
  for (const [from, place, mode] of [...files, ...operating]) {
    const target = join(staging, place)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, await readFile(join(root, from)), { mode })
    await chmod(target, mode)
  }
  const home = join(staging, 'usr/lib', name)
  await cp(payload, home, { recursive: true, verbatimSymlinks: true })
  await writeFile(join(staging, 'DEBIAN/control'), control(call, await sizeInKiB(home)))
  await writeFile(join(staging, 'DEBIAN/conffiles'), `/etc/${name}/server.env\n`)
  await openFolders(staging)
  await mkdir(to, { recursive: true })
  const file = join(to, `${name}_${version}_${architecture}.deb`)
  const { code, output } = await runProgram('dpkg-deb', [
    '--root-owner-group',
    '-Zzstd',
    '-z6',
    '--build',
    staging,
    file,
  ])
  if (code !== 0) throw new Error(`dpkg-deb failed: ${output}`)
  return file
}
