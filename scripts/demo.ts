// One whole interview on real input, unattended: `npm run demo`. Everything it claims is checked; exit 0 only then.
import { relative, resolve } from 'node:path'
import { Cleanup } from './demo/cleanup.ts'
import { desktopPrograms } from './demo/desktop.ts'
import { runInterview } from './demo/interview.ts'
import { claimsHeld, DemoFailure, elapsedSeconds, say } from './demo/say.ts'
import { ensurePrograms } from './system-packages.ts'

const root = resolve(import.meta.dirname, '..')
const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const folder = resolve(process.env.DATA_DIR ?? resolve(root, '.demo'), stamp)
const cleanup = new Cleanup()

let stopping = false

const leave = async (code: number): Promise<never> => {
  await cleanup.run()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Not `once`: a terminal and what started the demo may both pass one Ctrl-C on, and the second must not cut this short.
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    say('Stopping; everything that was started ends.')
    void leave(130)
  })
}

const main = async (): Promise<number> => {
  if (process.platform !== 'linux') {
    console.error('The demo needs Linux: it records a virtual display (Xvfb) and virtual sound (PulseAudio).')
    return 1
  }
  if ((await ensurePrograms(desktopPrograms)).length > 0) return 1
  try {
    await runInterview(folder, cleanup)
    say(`All ${claimsHeld()} claims held, in ${elapsedSeconds().toFixed(0)} s.`)
    return 0
  } catch (error) {
    // What was under way when it was stopped fails, of course.
    if (stopping) return 130
    say(`FAILED: ${error instanceof DemoFailure ? error.message : String((error as Error).stack ?? error)}`)
    return 1
  } finally {
    await cleanup.run()
    const shown = relative(process.cwd(), folder)
    console.log(`\nEverything is kept in ${folder}\nTo remove it: rm -r ${shown.startsWith('..') ? folder : shown}`)
  }
}

await leave(await main())
