import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const packages = [
  'shared-protocol',
  'shared-protocol/client',
  'server',
  'agent',
  'shared-ui',
  'room-web',
  'desk',
  'companion',
  'command-line',
]

/** A copy of what is committed or new, which its own packages find each other in; what is installed is shared. */
export const copyTree = (to: string): void => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path))))
    cpSync(join(root, file), join(to, file))
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'))
  for (const name of packages) {
    const installed = join(root, name, 'node_modules')
    if (existsSync(installed))
      cpSync(installed, join(to, name, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  }
}
