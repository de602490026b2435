import { join } from 'node:path'
import { DesktopAgent } from '../../desktop/desktop-agent.ts'
import { linuxDevices, webDevices } from '../../desktop/device-choices.ts'
import { createLanes } from '../../machine/adapters/create-lanes.ts'
import { createPageLinks } from '../../machine/page/page-links.ts'
import { systemClock } from '../../shared/clock.ts'
import { createDesktopUpdates } from '../../trust/updates/desktop-updates.ts'
import type { OpenCore } from './core.ts'
import { launchSherpa } from './speech-process.ts'

/** Puts the agent's core into the shell: its ports, the hidden page as a further way to record, updates and pins. */
export const openCore: OpenCore = async ({ ports, arch, ...options }) => {
  const { capturePage, ...own } = ports
  const { dataDir, version, onTrouble } = options
  const web = createPageLinks(capturePage, systemClock)
  const updates = createDesktopUpdates({
    dir: join(dataDir, 'updates'),
    version,
    arch,
    clock: systemClock,
    onTrouble,
    onInstalled: (installed) => {
      if (installed === 'replaced') own.window.quitAndOpenAgain()
      else own.window.quit()
    },
    onMismatch: ({ message: detail }) => {
      onTrouble(detail)
      agent.noteProblem({ code: 'certificate_mismatch', detail })
    },
  })
  const agent: DesktopAgent = await DesktopAgent.open({
    ...options,
    ports: own,
    choices: options.platform === 'linux' ? linuxDevices(undefined) : webDevices(web),
    create: (lanes) => createLanes({ ...lanes, web, platform: options.platform }),
    updates: updates.controller,
    fetchFor: (server) => updates.fetchFor(server),
    openLiveFor: (server) => updates.openLiveFor(server),
    speechModel: process.env['INTEGRITY_SPEECH_MODEL'] ?? join(process.resourcesPath, 'speech-model'),
    launchSpeech: launchSherpa(join(import.meta.dirname, 'sherpa-process.js')),
  })
  agent.onState(({ screen }) => updates.setRecording(screen === 'recording' || screen === 'paused'))
  return {
    handlers: agent.handlers,
    state: () => agent.state(),
    onState: (listener) => agent.onState(listener),
    onPreview: (listener) => agent.onPreview(listener),
    openLink: (link) => agent.openLink(link),
    quitQuestion: () => agent.quitQuestion(),
    close: async () => {
      await agent.close()
      await updates.installOnQuit()
    },
  }
}
