import { utilityProcess } from 'electron'
import { engineOverMessages } from '../../machine/speech/engine-messages.ts'
import type { LaunchSherpa } from '../../machine/speech/sherpa.ts'

/**
 * Starts the speech engine as a process of Electron's own: this program may not be run as Node, its switches forbid
 * that. Its output is not read, engines write the words they hear there. Not run in a real Electron.
 */
export const launchSherpa =
  (script: string): LaunchSherpa =>
  (args, listener) => {
    const child = utilityProcess.fork(script, [...args], { serviceName: 'Transcript', stdio: 'ignore' })
    const engine = engineOverMessages(
      {
        get pid() {
          return child.pid
        },
        postMessage: (message) => child.postMessage(message),
        onMessage: (heard) => void child.on('message', heard),
        onExit: (ended) => void child.once('exit', ended),
        kill: () => void child.kill(),
      },
      listener,
    )
    // It has a number only once it has started.
    return Object.defineProperty(engine, 'pid', { get: () => child.pid })
  }
