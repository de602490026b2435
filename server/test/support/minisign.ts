import { execFileSync } from 'node:child_process'

const installed = (() => {
  try {
    execFileSync('minisign', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Whether tests against Debian's minisign run. On a build server they do: without it they must fail, not go untested. */
export const hasMinisign = installed || process.env['CI'] !== undefined
if (!hasMinisign) console.warn('SKIPPED: minisign is not installed (apt-get install -y minisign)')
